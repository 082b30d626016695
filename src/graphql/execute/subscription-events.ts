/** Turns changes into the events of a subscription, each read with the rights its viewer has at that moment. */
import { authenticate } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { AppError, unauthenticatedError } from '../../errors.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import { createInterruption, type LiveChanges } from '../../live/live-subscription.ts';
import type { LiveTopic } from '../../live/live-updates.ts';

export interface LiveEvent<Value> {
  value: Value;
  /** The context it was read in: what the event's fields reach is decided by it. */
  ctx: Context;
}

/**
 * Reads what there is to tell. Throws when the viewer may not look (any more); that ends the subscription, and as an answer
 * to the request when it happens at the beginning.
 */
export type ReadLiveValues<Value> = (now: Context, changes: LiveChanges) => Promise<readonly Value[]>;

export async function subscribeToChanges<Value>(
  ctx: Context,
  topic: LiveTopic,
  read: ReadLiveValues<Value>,
): Promise<AsyncIterableIterator<LiveEvent<Value>>> {
  const { viewer, request, live } = ctx;
  if (!viewer.user) throw unauthenticatedError();
  const watch = await live.subscribe(
    topic,
    { userId: viewer.user.userId, address: toIpNetwork(request.address) },
    request.abortSignal,
  );
  const look = async (changes: LiveChanges): Promise<LiveEvent<Value>[]> => {
    const now = await renewed(ctx);
    return (await read(now, changes)).map((value) => ({ value, ctx: now }));
  };
  async function* events(first: readonly LiveEvent<Value>[]) {
    yield* first;
    for await (const changes of watch) yield* await look(changes).catch(worthTelling(ctx));
  }
  try {
    const { value } = topic.record === undefined ? { value: nothing } : await watch.next();
    return endedAtOnce(events(await look(value ?? nothing)), () => watch.end());
  } catch (error) {
    watch.end();
    throw error;
  }
}

const nothing: LiveChanges = { all: false, changed: new Map() };

/** The context the same request would get now: credentials verified again, permissions and records not read yet. */
async function renewed(ctx: Context): Promise<Context> {
  const viewer = await authenticate(ctx, ctx.request);
  await viewer.assertSignedIn();
  return { ...ctx, viewer };
}

/** Refusals are shown to the client. After any other failure, such as a lost database, the client should connect again. */
const worthTelling = (ctx: Context) => (error: unknown) => {
  if (error instanceof AppError) throw error;
  ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'subscription interrupted');
  throw createInterruption('The change could not be read.');
};

/** `return` reaches a generator only at its next yield; `end` wakes it up at once. */
function endedAtOnce<Value>(
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
