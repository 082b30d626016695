/** One operation of a document, made ready to run: interpreted at first, compiled once it is run often. */
import { RequestCache } from '@pothos/plugin-scope-auth';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { type Context, createContext } from '../../context.ts';
import type { AuditContext } from '../../db/audit-context.ts';
import { rejectAfterTimeout, runWithDeadline } from '../../lib/async/deadline.ts';
import { withSpan } from '../../lib/tracing.ts';
import type { UsageSubject } from '../../ports/usage.ts';
import { isJitSafe } from '../fast/jit-safety.ts';
import { identityScalars } from '../fast/projection.ts';
import { createRenderPlan, type RenderPlan } from '../fast/render-plan.ts';
import { RootReplay } from '../fast/root-replay.ts';
import { createCostEstimator } from '../limits/query-cost.ts';
import { limitError } from '../limits/validate-document.ts';
import { declaredVariableTypes, type Variables } from './coerce-variables.ts';
import { createDeprecatedUseFinder } from './deprecated-uses.ts';
import type { PreparedOperation } from './prepared-document.ts';
import { createVariableRejection } from './reject-invalid-variables.ts';
import { setConsistencyToken, withReplicaReads } from './replica-reads.ts';
import { collectBusinessIds, collectSchemaUsage } from './schema-usage.ts';
import { executeSubscription } from './subscribe.ts';

interface Parts {
  schema: GraphQLSchema;
  document: DocumentNode;
  node: OperationDefinitionNode;
  /** Fields of the document, with fragments expanded. */
  fields: number;
  /** The highest cost. */
  limit: number;
  /** Asked once, when code for the document would pay. */
  mayCompile(): boolean;
}

type Run = PreparedOperation['run'];

export function createOperation(parts: Parts): PreparedOperation {
  const { schema, document, node, limit } = parts;
  const types = declaredVariableTypes(schema, node);
  const costOf = createCostEstimator(schema, document, node, types);
  const run = createRunner(parts);
  let use: UsageSubject | undefined;
  // All operations of a batch share one limit.
  const overspent = (variables: Variables, { request }: Context) => {
    spend(request, costOf(variables));
    return limitError(request.operationCost.cost, limit, 'complex');
  };
  const ended = (own: Context): Promise<void> | undefined => {
    forgetChecks(own);
    return node.operation === 'mutation' && own.db.replicas ? setConsistencyToken(own) : undefined;
  };
  return {
    name: node.name?.value ?? '',
    kind: node.operation,
    variableTypes: types,
    document,
    schemaUsage: () => {
      use ??= collectSchemaUsage(schema, document, node);
      return use;
    },
    deprecatedUses: createDeprecatedUseFinder(schema, node, types),
    businessIds: (variables) => collectBusinessIds(node, variables),
    run(variables, ctx) {
      const error = overspent(variables, ctx);
      if (error) return { errors: [error] };
      // A subscription may stay open for as long as it likes.
      if (node.operation === 'subscription') return run(variables, ctx);
      const author = node.operation === 'mutation' ? authorOf(ctx) : undefined;
      return tracedOperation(node, () =>
        runWithDeadline(ctx.config.operationTimeoutMs, (deadline) => {
          const asked = createContext(
            ctx.db.withContext({ auditContext: author, deadline }),
            ctx,
            ctx.request,
            ctx.viewer,
          );
          const own = node.operation === 'query' ? withReplicaReads(asked) : asked;
          const result = run(variables, own);
          return result instanceof Promise ? result.finally(() => ended(own)) : result;
        }),
      );
    },
    rejectInvalid: createVariableRejection(schema, node),
    renderPlan: createPieces(parts, overspent, (variables, { request }) => {
      spend(request, -costOf(variables));
    }),
  };
}

/** By the name its author gave it, never by its text. */
const tracedOperation = <T>({ operation, name }: OperationDefinitionNode, run: () => T): T =>
  withSpan('operation', 'internal', {}, (span) => {
    if (span) {
      span.name = name ? `${operation} ${name.value}` : operation;
      span.attributes['graphql.operation.type'] = operation;
      if (name) span.attributes['graphql.operation.name'] = name.value;
    }
    return run();
  });

/**
 * Checks of scopes are remembered in a weak map, and know their context: young collections keep such pairs, and everything that
 * hangs on them, until the next full one.
 */
const forgetChecks = (ctx: Context) => RequestCache.clearForContext(ctx);

function spend({ operationCost: spent }: Context['request'], cost: number): void {
  spent.cost += cost;
  spent.pay?.(spent.cost);
}

const authorOf = ({
  viewer: { user, isApiKey },
  request: { requestId, protocol: voice },
}: Context): AuditContext => ({
  actor: user ? (isApiKey ? 'API_KEY' : 'USER') : 'ANONYMOUS',
  userId: user?.userId,
  keyId: user?.keyId,
  requestId,
  protocol: voice === 'graphql' ? 'GRAPHQL' : 'REST',
});

/** What fails here is run, and paid for, the usual way. */
function createPieces(
  { schema, document, node, fields, mayCompile }: Parts,
  pay: (variables: Variables, ctx: Context) => Error | undefined,
  payBack: (variables: Variables, ctx: Context) => void,
): PreparedOperation['renderPlan'] {
  let asked = 0;
  let pieces: RenderPlan | undefined;
  return () => {
    asked += 1;
    if (asked !== oftenEnough) return pieces;
    const found = isJitSafe(document, fields) ? createRenderPlan(schema, document, node) : undefined;
    if (!found || !mayCompile()) return undefined;
    pieces = {
      ...found,
      async ask(variables, asking) {
        const ctx = withReplicaReads(asking);
        try {
          const error = pay(variables, ctx);
          if (error) throw error;
          return await tracedOperation(node, () =>
            rejectAfterTimeout(ctx.config.operationTimeoutMs, found.ask(variables, ctx)),
          );
        } catch (error) {
          payBack(variables, ctx);
          throw error;
        } finally {
          forgetChecks(ctx);
        }
      },
    };
    return pieces;
  };
}

/** From this run on a document is compiled. */
const oftenEnough = 3;

function createRunner(parts: Parts): Run {
  const interpreted = createInterpretedRun(parts);
  if (parts.node.operation === 'subscription') return interpreted;
  let runs = 0;
  let chosen = interpreted;
  return (variables, ctx) => {
    runs += 1;
    if (runs === oftenEnough && isJitSafe(parts.document, parts.fields) && parts.mayCompile())
      chosen = createCompiledRun(parts) ?? interpreted;
    return chosen(variables, ctx);
  };
}

type Source = Pick<Parts, 'schema' | 'document' | 'node'>;

export const createInterpretedRun = (source: Source): Run =>
  source.node.operation === 'subscription'
    ? // Only Yoga runs these, and it takes a stream of results where others get one.
      (variables, ctx) => executeSubscription(argsOf(source, variables, ctx)) as Promise<ExecutionResult>
    : (variables, ctx) => execute(argsOf(source, variables, ctx));

const argsOf = ({ schema, document, node }: Source, variables: Variables, ctx: Context) => ({
  schema,
  document,
  operationName: node.name?.value,
  variableValues: variables,
  contextValue: ctx,
});

/** Undefined: graphql-jit cannot. */
export function createCompiledRun(source: Source): Run | undefined {
  const { schema, document, node } = source;
  const compiled = compileQuery(schema, document, node.name?.value, {
    // Values come from our own typed tables; only scalars that convert are asked.
    customSerializers: Object.fromEntries([...identityScalars].map((name) => [name, same])),
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  const [first, ...others] = node.selectionSet.selections;
  const isSingle = first?.kind === Kind.FIELD && others.length === 0;
  return (variables, ctx) => {
    const rootValue = new RootReplay();
    // Of several errors compiled code tells others than graphql-js does. Its answer counts if only the root field failed.
    const faithful = (result: ExecutionResult) =>
      !result.errors || (isSingle && result.errors[0]?.path?.length === 1)
        ? result
        : execute({ ...argsOf(source, variables, ctx), rootValue });
    const result = compiled.query(rootValue, ctx, variables);
    return result instanceof Promise ? result.then(faithful) : faithful(result);
  };
}

const same = (value: unknown) => value;
