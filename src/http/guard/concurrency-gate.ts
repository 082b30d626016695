/** Concurrency limit: runs a fixed number of requests at once, queues a few more, and rejects the others immediately. */
import { AppError } from '../../errors.ts';
import { getEventLoopDelayMs } from './event-loop-delay.ts';
import { getEventLoopTickStart } from './event-loop-tick-start.ts';

/** `early`: sign-ins, which are dequeued first and rejected last. */
export type RequestPriority = 'early' | 'usual';

interface ConcurrencyGateOptions {
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
  /** Throws UNAVAILABLE when no request of this priority and payer can run or queue. Without a payer there are no shares. */
  assertCapacity(priority: RequestPriority, payer?: string): void;
  /** Undefined: start immediately. Otherwise start when the promise resolves; it rejects with UNAVAILABLE after too long a wait. */
  enter(priority: RequestPriority, payer?: string): Promise<void> | undefined;
  /** Must be called exactly once per entered request, with its running time in milliseconds and the payer that entered. */
  leave(tookMs: number, payer?: string): void;
}

/** Queue length per priority, as a multiple of `parallel`. */
const queuedPerRunning = 2;
/** Part of a queue that one payer may occupy; sign-ins are charged to their network, which many people may share. */
const queueShare = 3 / 4;
/** Part of the running requests that one payer may have: its slow requests would block all others otherwise. */
const runningShare = 1 / 2;
/** Sign-ins that are dequeued before a waiting request of usual priority is. */
const maxSignInsInRow = 3;
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
  payer: string | undefined;
  since: number;
  start(): void;
  reject(error: AppError): void;
}

export function createConcurrencyGate({
  parallel,
  eventLoopDelay = getEventLoopDelayMs,
  clock = () => performance.now(),
  tickStart = getEventLoopTickStart,
}: ConcurrencyGateOptions): ConcurrencyGate {
  const queues: Record<RequestPriority, QueuedRequest[]> = { early: [], usual: [] };
  const runningByPayer = new Map<string, number>();
  let running = 0;
  let signInsInRow = 0;
  let averageMs = initialAverageMs;

  const ageOf = ({ since }: QueuedRequest) => clock() - since;
  const waitLimitMs = () => Math.max(minWaitLimitMs, waitLimitFactor * averageMs);

  const hasRunningShare = (payer: string | undefined) =>
    payer === undefined || runningOf(payer) < Math.max(1, parallel * runningShare);
  const mayRun = (payer: string | undefined) => running < parallel && hasRunningShare(payer);

  function isFull(priority: RequestPriority, payer?: string): boolean {
    if (mayRun(payer))
      return priority === 'usual' && running >= parallel / 2 && eventLoopDelay() > overloadDelayMs;
    const queue = queues[priority];
    const ofPayer = payer === undefined ? queue : queue.filter((queued) => queued.payer === payer);
    const [first] = ofPayer;
    const capacity = parallel * queuedPerRunning;
    return (
      queue.length >= capacity ||
      (payer !== undefined && ofPayer.length >= Math.max(2, capacity * queueShare)) ||
      (first !== undefined && ageOf(first) > Math.min(maxHeadOfQueueMs, waitLimitMs()))
    );
  }

  function assertCapacity(priority: RequestPriority, payer?: string): void {
    if (isFull(priority, payer)) throw overloadError();
  }

  const runningOf = (payer: string | undefined) =>
    payer === undefined ? 0 : (runningByPayer.get(payer) ?? 0);

  function countRunning(payer: string | undefined, change: 1 | -1): void {
    if (payer === undefined) return;
    const count = runningOf(payer) + change;
    if (count > 0) runningByPayer.set(payer, count);
    else runningByPayer.delete(payer);
  }

  /** Sign-ins come first, but not all of them; they have no wait limit. */
  function next(): QueuedRequest | undefined {
    const isSignInTurn = signInsInRow < maxSignInsInRow || queues.usual.length === 0;
    const early = isSignInTurn ? queues.early.shift() : undefined;
    signInsInRow = early ? signInsInRow + 1 : 0;
    return early ?? nextUsual() ?? queues.early.shift();
  }

  /** The oldest request of the payer with the fewest running requests; undefined if all of them have their share. */
  function nextUsual(): QueuedRequest | undefined {
    const queue = queues.usual;
    for (let [first] = queue; first && ageOf(first) > waitLimitMs(); [first] = queue) {
      queue.shift();
      first.reject(overloadError());
    }
    let best = 0;
    for (let index = 1; index < queue.length; index += 1)
      if (runningOf(queue[index]?.payer) < runningOf(queue[best]?.payer)) best = index;
    return hasRunningShare(queue[best]?.payer) ? queue.splice(best, 1)[0] : undefined;
  }

  return {
    isFree: () => running < parallel && !isFull('usual'),
    assertCapacity,
    enter(priority, payer) {
      if (mayRun(payer)) {
        running += 1;
        countRunning(payer, 1);
        return undefined;
      }
      assertCapacity(priority, payer);
      return new Promise((start, reject) =>
        queues[priority].push({ payer, since: tickStart(), start, reject }),
      );
    },
    leave(tookMs, payer) {
      countRunning(payer, -1);
      averageMs += (tookMs - averageMs) * averageWeight;
      const waiting = next();
      if (waiting) {
        countRunning(waiting.payer, 1);
        waiting.start();
      } else running -= 1;
    },
  };
}
