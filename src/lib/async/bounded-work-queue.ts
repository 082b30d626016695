/** Bounded queue for expensive work: limits the concurrency, in turns by payer, and rejects with UNAVAILABLE when the queue is full. */
import { AppError } from '../../errors.ts';

interface WorkQueueOptions {
  maxRunning: number;
  /** One payer may occupy half of the queue. */
  maxWaiting: number;
  /** Maximum of running work of one payer. Default: `maxRunning`. */
  maxRunningPerPayer?: number;
  /** Plural noun for the error message, such as `sign-ins`. */
  label: string;
}

/** Work without a payer has no share, only the limits of the queue. */
export type BoundedWorkQueue = <T>(work: () => Promise<T>, payer?: string) => Promise<T>;

interface WaitingWork {
  payer: string | undefined;
  start(): void;
}

export function createBoundedWorkQueue({
  maxRunning,
  maxWaiting,
  maxRunningPerPayer = maxRunning,
  label,
}: WorkQueueOptions): BoundedWorkQueue {
  const queue: WaitingWork[] = [];
  const runningByPayer = new Map<string | undefined, number>();
  let running = 0;

  const runningOf = (payer: string | undefined) => runningByPayer.get(payer) ?? 0;
  const mayRun = (payer: string | undefined) =>
    running < maxRunning && (payer === undefined || runningOf(payer) < maxRunningPerPayer);
  const isQueueFull = (payer: string | undefined) =>
    queue.length >= maxWaiting ||
    (payer !== undefined &&
      queue.filter((waiting) => waiting.payer === payer).length >= Math.max(1, maxWaiting / 2));

  function count(payer: string | undefined, change: 1 | -1): void {
    running += change;
    const left = runningOf(payer) + change;
    if (left > 0) runningByPayer.set(payer, left);
    else runningByPayer.delete(payer);
  }

  /** The oldest waiting work of the payer with the least running work. */
  function startNext(): void {
    const candidates = queue.filter(({ payer }) => mayRun(payer));
    const least = Math.min(...candidates.map(({ payer }) => runningOf(payer)));
    const next = candidates.find(({ payer }) => runningOf(payer) === least);
    if (!next) return;
    queue.splice(queue.indexOf(next), 1);
    count(next.payer, 1);
    next.start();
  }

  return async (work, payer) => {
    if (!mayRun(payer)) {
      if (isQueueFull(payer))
        throw new AppError('UNAVAILABLE', `Too many ${label} at the moment, try again shortly.`, {
          headers: { 'Retry-After': '1' },
        });
      await new Promise<void>((start) => queue.push({ payer, start }));
    } else count(payer, 1);
    try {
      return await work();
    } finally {
      count(payer, -1);
      startNext();
    }
  };
}
