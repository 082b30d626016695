/** Executes an operation with @defer and @stream: the first result as soon as it is complete, the parts after it. */
import { execute } from '@graphql-tools/executor';
import type { ExecutionResult } from 'graphql';
import type { Context } from '../../../context.ts';
import {
  maxResponseBytes,
  remainingBytesAfterJson,
  responseTooLargeError,
} from '../../../lib/json/response-size-limit.ts';
import type { Variables } from '../coerce-variables.ts';
import { maskError } from '../mask-errors.ts';
import type { ParsedOperation } from '../operation-compiler-types.ts';
import { addRequestIdToError } from '../request-errors.ts';
import { buildExecutionArgs } from '../run-with-graphql-js.ts';
import { PendingFormat } from './pending-format.ts';
import { createResultQueue, type IncrementalPart, type SubsequentResult } from './result-queue.ts';

export interface IncrementalExecution {
  /** The first result. Its errors are not masked: the caller has to mask them. */
  readonly initialResult: ExecutionResult;
  /** Undefined if the first result is complete. */
  readonly rest?: {
    /** Results after the first one, with masked errors. */
    readonly results: AsyncIterableIterator<SubsequentResult, undefined>;
    /** Resolves when all parts are executed, or stopped by the deadline. */
    readonly executed: Promise<void>;
    /** Converter of the results to the format that announces parts. */
    createPendingFormat(): PendingFormat;
  };
}

/** Calls `withDeadline` once with the execution of the whole operation, so that its deadline applies to all parts together. */
export function executeIncrementally(
  operation: ParsedOperation,
  variables: Variables,
  ctx: Context,
  withDeadline: (execution: (runCtx: Context) => Promise<void>) => Promise<void> | void,
): Promise<IncrementalExecution> {
  return new Promise((resolve, reject) => {
    const queue = createResultQueue();
    const mask = (error: unknown) =>
      addRequestIdToError(maskError(error, ctx, operation.document.loc?.source), ctx.request.requestId);
    const maskPart = (part: IncrementalPart): IncrementalPart =>
      part.errors ? { ...part, errors: part.errors.map(mask) } : part;

    const createPendingFormat = () => new PendingFormat(operation, variables);
    const execution = async (runCtx: Context) => {
      const result = await execute(buildExecutionArgs(operation, variables, runCtx));
      if (!('initialResult' in result)) return resolve({ initialResult: result });
      const { initialResult, subsequentResults } = result;
      let room = remainingBytesAfterJson(initialResult, maxResponseBytes);
      if (room < 0) throw responseTooLargeError();
      resolve({ initialResult, rest: { results: queue, executed, createPendingFormat } });
      for await (const { incremental, hasNext } of subsequentResults) {
        room = remainingBytesAfterJson(incremental, room);
        if (room < 0) throw responseTooLargeError();
        if (incremental) queue.add((incremental as readonly IncrementalPart[]).map(maskPart));
        if (!hasNext) queue.end();
      }
    };
    const executed = Promise.resolve(withDeadline(execution)).then(
      () => queue.end(),
      (error: unknown) => {
        // Has no effect after the first result.
        reject(error);
        queue.end([mask(error)]);
      },
    );
  });
}
