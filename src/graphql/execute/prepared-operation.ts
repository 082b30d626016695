/** A prepared operation: charges its cost, sets deadline and audit context, and runs interpreted at first, compiled from the third run on. */
import { RequestCache } from '@pothos/plugin-scope-auth';
import type { OperationDefinitionNode } from 'graphql';
import { type Context, createContext } from '../../context.ts';
import type { AuditContext } from '../../db/audit-context.ts';
import type { ConnectionSharePayer } from '../../db/query-context-and-statement-functions.ts';
import { type Deadline, rejectAfterTimeout, runWithDeadline } from '../../lib/async/deadline.ts';
import { createEventLoopShareQueue } from '../../lib/async/event-loop-share-queue.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import { withSpan } from '../../lib/tracing.ts';
import { buildFieldUsageSubject, type UsageSubject } from '../../ports/usage.ts';
import { createQueryCostEstimator, queryLimitError } from '../limits/query-cost.ts';
import { createStorefrontReadRecorder } from '../schema/storefront-surrogate-keys.ts';
import { createInvalidVariablesRejecter } from './authorize-before-variable-errors.ts';
import { getDeclaredVariableTypes, type Variables } from './coerce-variables.ts';
import { collectBusinessIds, collectSchemaUsage } from './collect-schema-usage.ts';
import { createDeprecatedUseFinder } from './find-deprecated-uses.ts';
import {
  findNegativeInitialCountError,
  usesIncrementalDirectives,
} from './incremental/defer-and-stream-directives.ts';
import { executeIncrementally } from './incremental/execute-incrementally.ts';
import type { OperationCompiler, ParsedOperation, RenderPlan } from './operation-compiler-types.ts';
import type { PreparedOperation } from './prepared-document-types.ts';
import { addConsistencyTokenHeader, toReplicaReadContext } from './replica-read-consistency.ts';
import { compileAtRun, createOperationRunner } from './run-interpreted-then-compiled.ts';
import { createInterpretedRunner } from './run-with-graphql-js.ts';
import { runOnServer, runQueryOnServers } from './server-of-operation.ts';

const introspectionField = /\b__(schema|type)\b/;
/** Introspection is executed synchronously and takes tens of milliseconds, so that a few callers could block all others. */
const introspectionTurns = createEventLoopShareQueue({ share: 1 / 8 });

/** Limit of deferred fragments and streamed items of a request, estimated from its page sizes. */
const maxParts = 500;

interface OperationSource extends ParsedOperation {
  /** Fields of the document, with fragments expanded. */
  fields: number;
  /** Maximum cost of a request. */
  limit: number;
  /** Called once, before the document is compiled; false if its caller has used up its share of the document cache. */
  mayCompile(): boolean;
  /** Undefined: all runs are interpreted. */
  compiler: OperationCompiler | undefined;
}

export function createPreparedOperation(source: OperationSource): PreparedOperation {
  const { schema, document, node, limit } = source;
  const types = getDeclaredVariableTypes(schema, node);
  const costOf = createQueryCostEstimator(schema, document, node, types);
  const run = createOperationRunner(source);
  const measuresTime = introspectionField.test(document.loc?.source.body ?? '');
  // Mutations return response headers that depend on their execution, and introspection is executed in turns.
  const isIncremental = node.operation === 'query' && !measuresTime && usesIncrementalDirectives(document);
  /** Takes longer than its cost suggests, so its time is measured. */
  const runIntrospection = (variables: Variables, ctx: Context) =>
    introspectionTurns(connectionShareOf(ctx).payer, () => {
      const startedAt = performance.now();
      const result = run(variables, ctx);
      ctx.request.measuredTime.documentMs += performance.now() - startedAt;
      return result;
    });
  let usage: UsageSubject | undefined;
  const schemaUsage = () => {
    usage ??= collectSchemaUsage(schema, document, node);
    return usage;
  };
  const rejectInvalid = createInvalidVariablesRejecter(schema, node);
  const findDeprecatedUses = createDeprecatedUseFinder(schema, node, types);
  const deprecatedUses = (variables: Variables) => findDeprecatedUses?.(variables) ?? [];
  // All operations of a batch share one limit.
  const chargeCost = (variables: Variables, { request }: Context) => {
    const { cost, parts } = costOf(variables);
    addCost(request, cost);
    return (
      queryLimitError(request.operationCost.total, limit, 'complex') ??
      queryLimitError(parts, maxParts, 'incremental')
    );
  };
  const finish = (ctx: Context): Promise<void> | undefined => {
    clearScopeCache(ctx);
    return node.operation === 'mutation' && ctx.db.replicas ? addConsistencyTokenHeader(ctx) : undefined;
  };
  /** Runs with the deadline and the audit context of an operation. */
  const runWithinDeadline = <Result>(ctx: Context, execute: (runCtx: Context) => Promise<Result> | Result) =>
    tracedOperation(node, () =>
      runWithDeadline(ctx.config.operationTimeoutMs, (deadline) => {
        const runCtx = createRunContext(ctx, node.operation, deadline);
        const result = execute(runCtx);
        return result instanceof Promise ? result.finally(() => finish(runCtx)) : result;
      }),
    );
  return {
    name: node.name?.value ?? '',
    kind: node.operation,
    variableTypes: types,
    document,
    schemaUsage,
    deprecatedUses,
    observe(variables, { observed, uses }) {
      observed.operation = this;
      observed.variables = variables;
      const subject = schemaUsage();
      const businessIds = () => collectBusinessIds(node, variables);
      uses.push({ subject, businessIds });
      // Fields in the document are already counted with the operation.
      for (const coordinate of deprecatedUses(variables))
        if (!subject.fields.includes(coordinate))
          uses.push({ subject: buildFieldUsageSubject(coordinate), businessIds });
    },
    recordPublicRead: createStorefrontReadRecorder(schema, document, node),
    businessIds: (variables) => collectBusinessIds(node, variables),
    run(variables, ctx) {
      const error = chargeCost(variables, ctx);
      if (error) return { errors: [error] };
      const runHere = (serverCtx: Context) =>
        // Subscriptions have no deadline: they stay open until the client disconnects.
        node.operation === 'subscription'
          ? run(variables, createRunContext(serverCtx, node.operation))
          : runWithinDeadline(serverCtx, (runCtx) =>
              measuresTime ? runIntrospection(variables, runCtx) : run(variables, runCtx),
            );
      if (!ctx.servers) return runHere(ctx);
      if (node.operation !== 'query') return runOnServer(source, variables, ctx, runHere);
      return runQueryOnServers(source, variables, ctx.servers, ctx, (part) =>
        part.operation === source
          ? runHere(part.ctx)
          : runWithinDeadline(part.ctx, (runCtx) =>
              createInterpretedRunner(part.operation)(variables, runCtx),
            ),
      );
    },
    runIncrementally: isIncremental
      ? async (variables, ctx) => {
          const error = chargeCost(variables, ctx) ?? findNegativeInitialCountError(source, variables);
          return error
            ? { initialResult: { errors: [error] } }
            : runOnServer(source, variables, ctx, (serverCtx) =>
                executeIncrementally(source, variables, serverCtx, (execution) =>
                  runWithinDeadline(serverCtx, execution),
                ),
              );
        }
      : undefined,
    rejectInvalid: async (variables, issues, ctx) =>
      runOnServer(source, variables, ctx, (serverCtx) => rejectInvalid(variables, issues, serverCtx)),
    renderPlan: createLazyRenderPlan(source, chargeCost, (variables, { request }) => {
      addCost(request, -costOf(variables).cost);
    }),
  };
}

/** Span of an operation. It carries the operation name, never the document text. */
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
 * Pothos caches scope checks in a WeakMap whose values reference their context. V8 frees such pairs, and everything they retain, only in
 * a major GC, so the cache is cleared explicitly.
 */
const clearScopeCache = (ctx: Context) => RequestCache.clearForContext(ctx);

function addCost({ operationCost }: Context['request'], cost: number): void {
  operationCost.total += cost;
  operationCost.onChange?.(operationCost.total);
}

/** Context whose statements carry the audit context, the deadline and the share of the connections of this run. */
function createRunContext(ctx: Context, kind: PreparedOperation['kind'], deadline?: Deadline): Context {
  const queryContext = { auditContext: auditContextOf(ctx), deadline, share: connectionShareOf(ctx) };
  const runCtx = createContext(ctx.db.withContext(queryContext), ctx, ctx.request, ctx.viewer);
  return kind === 'query' && ctx.db.replicas ? toReplicaReadContext(runCtx, ctx.db.replicas) : runCtx;
}

/** Guests and anonymous callers are easily created, so they share the connections of their network too. */
function connectionShareOf({ viewer: { user }, request }: Context): ConnectionSharePayer {
  const network = !user || user.isGuest ? toIpNetwork(request.address) : undefined;
  return {
    payer: user?.keyId ?? user?.userId ?? network ?? '',
    network: user ? network : undefined,
    onDatabaseTime: (ms) => {
      request.measuredTime.databaseMs += ms;
    },
  };
}

const auditContextOf = ({ viewer: { user }, request: { requestId, protocol } }: Context): AuditContext => ({
  actor: user ? (user.provider === 'API' ? 'API_KEY' : 'USER') : 'ANONYMOUS',
  userId: user?.userId,
  keyId: user?.keyId,
  requestId,
  protocol: protocol === 'graphql' ? 'GRAPHQL' : 'REST',
});

/** PERF: creates the render plan on the third request. When the plan fails, its cost is refunded and the caller runs the operation instead. */
function createLazyRenderPlan(
  source: OperationSource,
  chargeCost: (variables: Variables, ctx: Context) => Error | undefined,
  refundCost: (variables: Variables, ctx: Context) => void,
): PreparedOperation['renderPlan'] {
  const { document, node, fields, mayCompile, compiler } = source;
  if (!compiler) return () => undefined;
  let requests = 0;
  let chargedPlan: RenderPlan | undefined;
  async function resolveCharged(plan: RenderPlan, variables: Variables, serverCtx: Context) {
    const ctx = createRunContext(serverCtx, node.operation);
    try {
      const error = chargeCost(variables, ctx);
      if (error) throw error;
      return await tracedOperation(node, () =>
        rejectAfterTimeout(ctx.config.operationTimeoutMs, plan.resolveRoot(variables, ctx)),
      );
    } catch (error) {
      refundCost(variables, ctx);
      throw error;
    } finally {
      clearScopeCache(ctx);
    }
  }
  return () => {
    requests += 1;
    if (requests !== compileAtRun) return chargedPlan;
    const plan = compiler.supports(document, fields) ? compiler.createRenderPlan(source) : undefined;
    if (!plan || !mayCompile()) return undefined;
    chargedPlan = {
      ...plan,
      resolveRoot: async (variables, ctx) =>
        ctx.servers
          ? runOnServer(source, variables, ctx, (serverCtx) => resolveCharged(plan, variables, serverCtx))
          : resolveCharged(plan, variables, ctx),
    };
    return chargedPlan;
  };
}
