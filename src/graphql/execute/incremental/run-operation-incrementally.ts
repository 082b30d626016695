/** Runs a GraphQL request whose document has @defer or @stream, for a client that accepts results in parts. */
import type { ExecutionResult } from 'graphql';
import type { Context } from '../../../context.ts';
import type { Variables } from '../coerce-variables.ts';
import type { PreparedOperation } from '../prepared-document-types.ts';
import { addRequestIdToError } from '../request-errors.ts';
import { coerceVariablesAndRun, type IncrementalDelivery } from '../run-request.ts';
import type { IncrementalExecution } from './execute-incrementally.ts';

type IncrementalResult = ExecutionResult & { hasNext: boolean };

/** A stream of results, or one result if no part is deferred. Streams are not stored by edge caches. */
export async function runOperationIncrementally(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
  delivery: IncrementalDelivery,
): Promise<ExecutionResult | AsyncIterable<IncrementalResult>> {
  let execution: IncrementalExecution | undefined;
  const initialResult = await coerceVariablesAndRun(operation, values, ctx, async (variables, runCtx) => {
    execution = await operation.runIncrementally?.(variables, runCtx);
    return execution?.initialResult ?? {};
  });
  if (!execution?.rest) return initialResult;
  delivery.executed = execution.rest.executed;
  for (const error of initialResult.errors ?? []) addRequestIdToError(error, ctx.request.requestId);
  return joinResults(initialResult, execution.rest.results);
}

async function* joinResults(
  initialResult: ExecutionResult,
  results: AsyncIterable<IncrementalResult>,
): AsyncGenerator<IncrementalResult> {
  yield { ...initialResult, hasNext: true };
  yield* results;
}
