/** How much is done at a time: so many at once, a short queue, and a quick no to the rest. */
import { AppError } from '../../errors.ts';
import { eventLoopDelayMs, eventLoopTickStart } from './event-loop-delay.ts';

/** `early`: sign-ins, which are sent away last and wait shortest. */
export type RequestPriority = 'early' | 'usual';

export interface ConcurrencyGateOptions {
  /** Requests that are worked on at once. */
  parallel: number;
  /** How far the event loop is behind, in milliseconds. */
  eventLoopDelay?: () => number;
  clock?: () => number;
  /** By the clock, when the turn of the event loop began in which this is asked. */
  tickStart?: () => number;
}

export interface ConcurrencyGate {
  /** Whether anybody may go on at once, so that the rank of a request does not matter. */
  isFree(): boolean;
  /** Throws UNAVAILABLE when a request of this rank would only make things worse. */
  assertCapacity(rank: RequestPriority): void;
  /** Undefined: go on at once; otherwise after it has resolved, or not at all: it rejects as `expectRoom` throws. */
  enter(rank: RequestPriority): Promise<void> | undefined;
  /** Every entry is left once, with how many milliseconds it took since it went on. */
  leave(tookMs: number): void;
}

/** Requests that may wait, for each that is worked on. */
const waitingPerWorker = 2;
/**
 * Who has waited so many times longer than the work usually takes is sent away: under a load that does not end, the answers to those who are
 * accepted come in time. Short work may wait for this long all the same.
 */
const patience = 4;
const shortestWaitMs = 50;
/** While the first in the queue has waited longer than this, or is to be sent away, nobody joins it. */
const longestWaitMs = 1_000;
/** Before anything was done. */
const firstGuessMs = 2_500;
/** How much the latest work weighs in what is usual. */
const weight = 1 / 32;
/** An event loop this far behind has too much to do, if there is enough at hand to be the reason. */
const tooLateMs = 250;

const tooMuch = () =>
  new AppError('UNAVAILABLE', 'There is too much to do at the moment, try again shortly.', {
    headers: { 'Retry-After': '1' },
  });

interface Waiting {
  since: number;
  go(): void;
  sendAway(error: AppError): void;
}

export function createConcurrencyGate({
  parallel,
  eventLoopDelay: late = eventLoopDelayMs,
  clock = () => performance.now(),
  tickStart: arrived = eventLoopTickStart,
}: ConcurrencyGateOptions): ConcurrencyGate {
  const queues: Record<RequestPriority, Waiting[]> = { early: [], usual: [] };
  let running = 0;
  let usualMs = firstGuessMs;

  const ageOf = ({ since }: Waiting) => clock() - since;
  const longest = () => Math.max(shortestWaitMs, patience * usualMs);

  function isFull(rank: RequestPriority): boolean {
    if (running < parallel) return rank === 'usual' && running >= parallel / 2 && late() > tooLateMs;
    const queue = queues[rank];
    const first = queue[0];
    return (
      queue.length >= parallel * waitingPerWorker ||
      (first !== undefined && ageOf(first) > Math.min(longestWaitMs, longest()))
    );
  }

  function expectRoom(rank: RequestPriority): void {
    if (isFull(rank)) throw tooMuch();
  }

  /** Sign-ins wait as long as it takes. */
  function next(): Waiting | undefined {
    const early = queues.early.shift();
    if (early) return early;
    for (;;) {
      const first = queues.usual.shift();
      if (!first || ageOf(first) <= longest()) return first;
      first.sendAway(tooMuch());
    }
  }

  return {
    isFree: () => running < parallel && !isFull('usual'),
    assertCapacity: expectRoom,
    enter(rank) {
      if (running < parallel) {
        running += 1;
        return undefined;
      }
      expectRoom(rank);
      return new Promise((go, sendAway) => queues[rank].push({ since: arrived(), go, sendAway }));
    },
    leave(tookMs) {
      usualMs += (tookMs - usualMs) * weight;
      const waiting = next();
      if (waiting) waiting.go();
      else running -= 1;
    },
  };
}
