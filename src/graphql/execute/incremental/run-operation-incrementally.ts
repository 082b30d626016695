/** Runs a GraphQL request whose document has @defer or @stream, for a client that accepts results in parts. */
import type { ExecutionResult } from 'graphql';
import type { Context } from '../../../context.ts';
import type { Variables } from '../coerce-variables.ts';
import type { PreparedOperation } from '../prepared-document-types.ts';
import { addRequestIdToError } from '../request-errors.ts';
import { coerceVariablesAndRun, type IncrementalDelivery } from '../run-request.ts';
import type { IncrementalExecution } from './execute-incrementally.ts';
import type { PendingFormat, PendingFormatResult } from './pending-format.ts';
import type { SubsequentResult } from './result-queue.ts';

type IncrementalResult = PendingFormatResult | (ExecutionResult & { hasNext: boolean });

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
  const { results, createPendingFormat } = execution.rest;
  return delivery.announcesParts
    ? announceParts(createPendingFormat(), initialResult, results)
    : joinResults(initialResult, results);
}

async function* announceParts(
  format: PendingFormat,
  initialResult: ExecutionResult,
  results: AsyncIterable<SubsequentResult>,
): AsyncGenerator<IncrementalResult> {
  yield format.convertFirst(initialResult);
  for await (const result of results) yield format.convertNext(result);
}

async function* joinResults(
  initialResult: ExecutionResult,
  results: AsyncIterable<SubsequentResult>,
): AsyncGenerator<IncrementalResult> {
  yield { ...initialResult, hasNext: true };
  yield* results;
}
