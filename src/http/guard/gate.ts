/** How much is done at a time: so many at once, a short queue, and a quick no to the rest. */
import { AppError } from '../../errors.ts';
import { lateness } from './lateness.ts';

/** `early`: sign-ins, which are sent away last and wait shortest. */
export type Rank = 'early' | 'usual';

export interface GateOptions {
  /** Requests that are worked on at once. */
  parallel: number;
  /** How far the event loop is behind, in milliseconds. */
  late?: () => number;
  clock?: () => number;
}

export interface Gate {
  /** Whether anybody may go on at once, so that the rank of a request does not matter. */
  isFree(): boolean;
  /** Throws UNAVAILABLE when a request of this rank would only make things worse. */
  expectRoom(rank: Rank): void;
  /** Undefined: go on at once; otherwise after it has resolved. Every entry is left once. */
  enter(rank: Rank): Promise<void> | undefined;
  leave(): void;
}

/** Requests that may wait, for each that is worked on. */
const waitingPerWorker = 2;
/** While the first in the queue has waited longer than this, nobody joins it. */
const longestWaitMs = 1_000;
/** An event loop this far behind has too much to do, if there is enough at hand to be the reason. */
const tooLateMs = 250;

export function createGate({ parallel, late = lateness, clock = Date.now }: GateOptions): Gate {
  interface Waiting {
    since: number;
    go(): void;
  }
  const queues: Record<Rank, Waiting[]> = { early: [], usual: [] };
  let running = 0;

  function isFull(rank: Rank): boolean {
    if (running < parallel) return rank === 'usual' && running >= parallel / 2 && late() > tooLateMs;
    const queue = queues[rank];
    const first = queue[0];
    return (
      queue.length >= parallel * waitingPerWorker ||
      (first !== undefined && clock() - first.since > longestWaitMs)
    );
  }

  function expectRoom(rank: Rank): void {
    if (isFull(rank))
      throw new AppError('UNAVAILABLE', 'There is too much to do at the moment, try again shortly.', {
        headers: { 'Retry-After': '1' },
      });
  }

  return {
    isFree: () => running < parallel && !isFull('usual'),
    expectRoom,
    enter(rank) {
      if (running < parallel) {
        running += 1;
        return undefined;
      }
      expectRoom(rank);
      return new Promise((go) => queues[rank].push({ since: clock(), go }));
    },
    leave() {
      const next = queues.early.shift() ?? queues.usual.shift();
      if (next) next.go();
      else running -= 1;
    },
  };
}
