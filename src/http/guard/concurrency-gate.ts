/** Concurrency limit: runs a fixed number of requests at once, queues a few more, and rejects the others immediately. */
import { AppError } from '../../errors.ts';
import { eventLoopDelayMs, eventLoopTickStart } from './event-loop-delay.ts';

/** `early`: sign-ins, which are dequeued first and rejected last. */
export type RequestPriority = 'early' | 'usual';

export interface ConcurrencyGateOptions {
  /** Maximum number of requests that run at once. */
  parallel: number;
  /** Current event loop delay in milliseconds. */
  eventLoopDelay?: () => number;
  clock?: () => number;
  /** Start of the current event loop tick, on the same clock. */
  tickStart?: () => number;
}

export interface ConcurrencyGate {
  /** Whether a request of any priority may start immediately. */
  isFree(): boolean;
  /** Throws UNAVAILABLE when no request of this priority can run or queue. */
  assertCapacity(priority: RequestPriority): void;
  /** Undefined: start immediately. Otherwise start when the promise resolves; it rejects with UNAVAILABLE after too long a wait. */
  enter(priority: RequestPriority): Promise<void> | undefined;
  /** Must be called exactly once per entered request, with its running time in milliseconds. */
  leave(tookMs: number): void;
}

/** Queue length per priority, as a multiple of `parallel`. */
const queuedPerRunning = 2;
/**
 * A queued request is rejected once it has waited this many times the average running time, so that accepted requests
 * still get a timely response under sustained overload. The limit is never below `minWaitLimitMs`.
 */
const waitLimitFactor = 4;
const minWaitLimitMs = 50;
/** No request joins the queue while its first entry has waited longer than this, or longer than the wait limit. */
const maxHeadOfQueueMs = 1_000;
/** Assumed average running time before the first request has finished. */
const initialAverageMs = 2_500;
/** Weight of the latest running time in the moving average. */
const averageWeight = 1 / 32;
/** Event loop delay above which the process counts as overloaded, provided at least half of the slots are in use. */
const overloadDelayMs = 250;

const overloadError = () =>
  new AppError('UNAVAILABLE', 'The server is overloaded. Try again in 1 second.', {
    headers: { 'Retry-After': '1' },
  });

interface QueuedRequest {
  since: number;
  start(): void;
  reject(error: AppError): void;
}

export function createConcurrencyGate({
  parallel,
  eventLoopDelay = eventLoopDelayMs,
  clock = () => performance.now(),
  tickStart = eventLoopTickStart,
}: ConcurrencyGateOptions): ConcurrencyGate {
  const queues: Record<RequestPriority, QueuedRequest[]> = { early: [], usual: [] };
  let running = 0;
  let averageMs = initialAverageMs;

  const ageOf = ({ since }: QueuedRequest) => clock() - since;
  const waitLimitMs = () => Math.max(minWaitLimitMs, waitLimitFactor * averageMs);

  function isFull(priority: RequestPriority): boolean {
    if (running < parallel)
      return priority === 'usual' && running >= parallel / 2 && eventLoopDelay() > overloadDelayMs;
    const queue = queues[priority];
    const first = queue[0];
    return (
      queue.length >= parallel * queuedPerRunning ||
      (first !== undefined && ageOf(first) > Math.min(maxHeadOfQueueMs, waitLimitMs()))
    );
  }

  function assertCapacity(priority: RequestPriority): void {
    if (isFull(priority)) throw overloadError();
  }

  /** Sign-ins have no wait limit. */
  function next(): QueuedRequest | undefined {
    const early = queues.early.shift();
    if (early) return early;
    for (;;) {
      const first = queues.usual.shift();
      if (!first || ageOf(first) <= waitLimitMs()) return first;
      first.reject(overloadError());
    }
  }

  return {
    isFree: () => running < parallel && !isFull('usual'),
    assertCapacity,
    enter(priority) {
      if (running < parallel) {
        running += 1;
        return undefined;
      }
      assertCapacity(priority);
      return new Promise((start, reject) => queues[priority].push({ since: tickStart(), start, reject }));
    },
    leave(tookMs) {
      averageMs += (tookMs - averageMs) * averageWeight;
      const waiting = next();
      if (waiting) waiting.start();
      else running -= 1;
    },
  };
}
