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
import { type Context, contextOn } from '../context.ts';
import type { Author } from '../db/author.ts';
import { inTime, withinDeadline } from '../lib/deadline.ts';
import { traced } from '../lib/trace.ts';
import type { Use } from '../ports/usage.ts';
import { type Variables, variableTypes } from './coerce.ts';
import { tellPosition, withContent } from './consistency.ts';
import { createCost } from './cost.ts';
import { deprecatedUses } from './deprecated-uses.ts';
import type { Operation } from './executable.ts';
import { compilesFaithfully } from './faithful.ts';
import { type Pieces, piecesOf } from './pieces.ts';
import { tooMuch } from './prepare.ts';
import { createRefusal } from './refuse.ts';
import { Replay } from './replay.ts';
import { sameScalars } from './shape.ts';
import { subscribe } from './subscription.ts';
import { businessesIn, useOf } from './uses.ts';

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

type Run = Operation['run'];

export function createOperation(parts: Parts): Operation {
  const { schema, document, node, limit } = parts;
  const types = variableTypes(schema, node);
  const costOf = createCost(schema, document, node, types);
  const run = createRunner(parts);
  let use: Use | undefined;
  // All operations of a batch share one limit.
  const overspent = (variables: Variables, { request }: Context) => {
    spend(request, costOf(variables));
    return tooMuch(request.spent.cost, limit, 'complex');
  };
  const ended = (own: Context): Promise<void> | undefined => {
    forgetChecks(own);
    return node.operation === 'mutation' && own.db.replicas ? tellPosition(own) : undefined;
  };
  return {
    name: node.name?.value ?? '',
    kind: node.operation,
    variableTypes: types,
    document,
    use: () => {
      use ??= useOf(schema, document, node);
      return use;
    },
    deprecatedIn: deprecatedUses(schema, node, types),
    businessesOf: (variables) => businessesIn(node, variables),
    run(variables, ctx) {
      const error = overspent(variables, ctx);
      if (error) return { errors: [error] };
      // A subscription may stay open for as long as it likes.
      if (node.operation === 'subscription') return run(variables, ctx);
      const author = node.operation === 'mutation' ? authorOf(ctx) : undefined;
      return tracedOperation(node, () =>
        withinDeadline(ctx.config.operationTimeoutMs, (deadline) => {
          const asked = contextOn(ctx.db.on({ author, deadline }), ctx, ctx.request, ctx.viewer);
          const own = node.operation === 'query' ? withContent(asked) : asked;
          const result = run(variables, own);
          return result instanceof Promise ? result.finally(() => ended(own)) : result;
        }),
      );
    },
    refuse: createRefusal(schema, node),
    pieces: createPieces(parts, overspent, (variables, { request }) => {
      spend(request, -costOf(variables));
    }),
  };
}

/** By the name its author gave it, never by its text. */
const tracedOperation = <T>({ operation, name }: OperationDefinitionNode, run: () => T): T =>
  traced('operation', 'internal', {}, (span) => {
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

function spend({ spent }: Context['request'], cost: number): void {
  spent.cost += cost;
  spent.pay?.(spent.cost);
}

const authorOf = ({ viewer: { user, isApiKey }, request: { requestId, voice } }: Context): Author => ({
  actor: user ? (isApiKey ? 'API_KEY' : 'USER') : 'ANONYMOUS',
  userId: user?.userId,
  keyId: user?.keyId,
  requestId,
  voice: voice === 'graphql' ? 'GRAPHQL' : 'REST',
});

/** What fails here is run, and paid for, the usual way. */
function createPieces(
  { schema, document, node, fields, mayCompile }: Parts,
  pay: (variables: Variables, ctx: Context) => Error | undefined,
  payBack: (variables: Variables, ctx: Context) => void,
): Operation['pieces'] {
  let asked = 0;
  let pieces: Pieces | undefined;
  return () => {
    asked += 1;
    if (asked !== oftenEnough) return pieces;
    const found = compilesFaithfully(document, fields) ? piecesOf(schema, document, node) : undefined;
    if (!found || !mayCompile()) return undefined;
    pieces = {
      ...found,
      async ask(variables, asking) {
        const ctx = withContent(asking);
        try {
          const error = pay(variables, ctx);
          if (error) throw error;
          return await tracedOperation(node, () =>
            inTime(ctx.config.operationTimeoutMs, found.ask(variables, ctx)),
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
  const interpreted = interpret(parts);
  if (parts.node.operation === 'subscription') return interpreted;
  let runs = 0;
  let chosen = interpreted;
  return (variables, ctx) => {
    runs += 1;
    if (runs === oftenEnough && compilesFaithfully(parts.document, parts.fields) && parts.mayCompile())
      chosen = compile(parts) ?? interpreted;
    return chosen(variables, ctx);
  };
}

type Source = Pick<Parts, 'schema' | 'document' | 'node'>;

export const interpret = (source: Source): Run =>
  source.node.operation === 'subscription'
    ? // Only Yoga runs these, and it takes a stream of results where others get one.
      (variables, ctx) => subscribe(argsOf(source, variables, ctx)) as Promise<ExecutionResult>
    : (variables, ctx) => execute(argsOf(source, variables, ctx));

const argsOf = ({ schema, document, node }: Source, variables: Variables, ctx: Context) => ({
  schema,
  document,
  operationName: node.name?.value,
  variableValues: variables,
  contextValue: ctx,
});

/** Undefined: graphql-jit cannot. */
export function compile(source: Source): Run | undefined {
  const { schema, document, node } = source;
  const compiled = compileQuery(schema, document, node.name?.value, {
    // Values come from our own typed tables; only scalars that convert are asked.
    customSerializers: Object.fromEntries([...sameScalars].map((name) => [name, same])),
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  const [first, ...others] = node.selectionSet.selections;
  const isSingle = first?.kind === Kind.FIELD && others.length === 0;
  return (variables, ctx) => {
    const rootValue = new Replay();
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
