/** Converts database changes to events of a subscription; each event is read with the viewer's current permissions. */
import { authenticateOrAnonymous } from '../../auth/viewer-and-authentication.ts';
import type { Context } from '../../context.ts';
import { AppError, unauthenticatedError } from '../../errors.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import { createStreamInterruptedError, type LiveChanges } from '../../live/live-subscription.ts';
import type { LiveTopic } from '../../live/live-updates.ts';

export interface SubscriptionEvent<Value> {
  value: Value;
  /** Context in which the event was read; its fields are resolved in it. */
  ctx: Context;
}

/**
 * Reads the values to emit after changes. Throws if the viewer may not read them (any more): this ends the subscription, or rejects
 * the request if it happens at the start.
 */
type ReadSubscriptionValues<Value> = (ctx: Context, changes: LiveChanges) => Promise<readonly Value[]>;

export async function subscribeToChanges<Value>(
  ctx: Context,
  topic: LiveTopic,
  read: ReadSubscriptionValues<Value>,
): Promise<AsyncIterableIterator<SubscriptionEvent<Value>>> {
  const { viewer, request, live } = ctx;
  if (!viewer.user) throw unauthenticatedError();
  const watch = await live.subscribe(
    topic,
    { userId: viewer.user.userId, address: toIpNetwork(request.address) },
    request.abortSignal,
  );
  const readEvents = async (changes: LiveChanges): Promise<SubscriptionEvent<Value>[]> => {
    const currentCtx = await reauthenticate(ctx);
    return (await read(currentCtx, changes)).map((value) => ({ value, ctx: currentCtx }));
  };
  async function* events(first: readonly SubscriptionEvent<Value>[]) {
    yield* first;
    for await (const changes of watch) yield* await readEvents(changes).catch(toStreamError(ctx));
  }
  try {
    const { value } = topic.record === undefined ? { value: noChanges } : await watch.next();
    return withImmediateEnd(events(await readEvents(value ?? noChanges)), () => watch.end());
  } catch (error) {
    watch.end();
    throw error;
  }
}

const noChanges: LiveChanges = { all: false, changed: new Map() };

/** Context of the same request with its credentials verified again, and without cached permissions and records. */
async function reauthenticate(ctx: Context): Promise<Context> {
  const viewer = await authenticateOrAnonymous(ctx, ctx.request);
  await viewer.assertSignedIn();
  return { ...ctx, viewer };
}

/** AppErrors are sent to the client. After other errors, such as a lost database connection, the client should reconnect. */
const toStreamError = (ctx: Context) => (error: unknown) => {
  if (error instanceof AppError) throw error;
  ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'subscription interrupted');
  throw createStreamInterruptedError('The change could not be read.');
};

/** `return` takes effect in a generator only at its next yield; `end` wakes it up immediately. */
function withImmediateEnd<Value>(
  events: AsyncGenerator<Value, void>,
  end: () => void,
): AsyncIterableIterator<Value> {
  return {
    next: () => events.next(),
    return() {
      end();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
