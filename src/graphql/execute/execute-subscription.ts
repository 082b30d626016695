/** Executes subscriptions: every event runs in the context in which it was read; the first error ends the stream. */
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
} from 'graphql';
import type { Context, RequestFacts } from '../../context.ts';
import { assertResponseSize } from '../../lib/json/response-size-limit.ts';
import { isStreamInterruptedError } from '../../live/live-subscription.ts';
import { maskError } from './mask-errors.ts';
import { addRequestIdToError } from './request-errors.ts';
import type { SubscriptionEvent } from './subscribe-to-changes.ts';

type ResultStream = AsyncIterableIterator<ExecutionResult, undefined>;

export async function executeSubscription(
  args: ExecutionArgs & { contextValue: Context },
): Promise<ExecutionResult | ResultStream> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const { requestId } = args.contextValue.request;
  const mask = (error: unknown) =>
    addRequestIdToError(maskError(error, args.contextValue, args.document.loc?.source), requestId);
  return createResultStream(
    source[Symbol.asyncIterator]() as AsyncIterator<SubscriptionEvent<unknown>>,
    mask,
    (event) => execute({ ...args, rootValue: event, contextValue: event.ctx }),
    args.contextValue.request.operationCost,
  );
}

function createResultStream(
  events: AsyncIterator<SubscriptionEvent<unknown>>,
  mask: (error: unknown) => GraphQLError,
  executeEvent: (event: SubscriptionEvent<unknown>) => Promise<ExecutionResult> | ExecutionResult,
  operationCost: RequestFacts['operationCost'],
): ResultStream {
  let ended = false;
  let isFirst = true;
  const end = async () => {
    ended = true;
    await events.return?.();
    return { done: true as const, value: undefined };
  };
  const failed = async (error: unknown) => {
    await end();
    // Throwing ends the stream without `complete`, so that the client reconnects, see live/live-subscription.ts.
    if (isStreamInterruptedError(error)) throw error;
    return { errors: [mask(error)] };
  };
  async function nextResult(): Promise<ExecutionResult | undefined> {
    // The start of the subscription pays for the first event. Later ones are read only when they are paid, with the access of that time.
    if (!isFirst) await operationCost.chargeEvent?.();
    isFirst = false;
    const { done, value } = await events.next();
    if (done) return undefined;
    const { errors, ...result } = await executeEvent(value);
    assertResponseSize(result);
    return errors ? { ...result, errors: errors.map(mask) } : result;
  }
  return {
    async next() {
      if (ended) return { done: true, value: undefined };
      const value = await nextResult().catch(failed);
      return value ? { done: false, value } : end();
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
