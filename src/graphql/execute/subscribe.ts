/** Runs subscriptions: every event is executed in the context it was read in, and the first error ends the stream. */
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
} from 'graphql';
import type { Context } from '../../context.ts';
import { assertResponseSize } from '../../lib/json/response-json.ts';
import { isInterruption } from '../../live/live-subscription.ts';
import { maskError } from './mask-errors.ts';
import { withRequestId } from './request-errors.ts';
import type { LiveEvent } from './subscription-events.ts';

type Answers = AsyncIterableIterator<ExecutionResult, undefined>;

export async function executeSubscription(
  args: ExecutionArgs & { contextValue: Context },
): Promise<ExecutionResult | Answers> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const { requestId } = args.contextValue.request;
  const mask = (error: unknown) =>
    withRequestId(maskError(error, args.contextValue, args.document.loc?.source), requestId);
  return answers(source[Symbol.asyncIterator]() as AsyncIterator<LiveEvent<unknown>>, mask, (event) =>
    execute({ ...args, rootValue: event, contextValue: event.ctx }),
  );
}

function answers(
  events: AsyncIterator<LiveEvent<unknown>>,
  mask: (error: unknown) => GraphQLError,
  answer: (event: LiveEvent<unknown>) => Promise<ExecutionResult> | ExecutionResult,
): Answers {
  let ended = false;
  const end = async () => {
    ended = true;
    await events.return?.();
    return { done: true as const, value: undefined };
  };
  const failed = async (error: unknown) => {
    await end();
    // The stream ends without being complete, so that the client connects again, see live/live-subscription.ts.
    if (isInterruption(error)) throw error;
    return { errors: [mask(error)] };
  };
  async function nextAnswer(): Promise<ExecutionResult | undefined> {
    const { done, value } = await events.next();
    if (done) return undefined;
    const { errors, ...result } = await answer(value);
    assertResponseSize(result);
    return errors ? { ...result, errors: errors.map(mask) } : result;
  }
  return {
    async next() {
      if (ended) return { done: true, value: undefined };
      const value = await nextAnswer().catch(failed);
      return value ? { done: false, value } : end();
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
