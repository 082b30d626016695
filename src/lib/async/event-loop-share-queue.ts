/** Runs long synchronous work in turns by payer, on at most a share of the event loop's time. */

interface EventLoopShareQueueOptions {
  /** Maximum share of the time, from 0 to 1. After each run the next one waits accordingly. */
  share: number;
  /** A run of at most this many milliseconds is followed by no wait. Default: 2. */
  freeMs?: number;
  clock?: () => number;
}

/** Only the synchronous part of `work` counts: what it awaits may overlap with other runs. */
type EventLoopShareQueue = <T>(payer: string, work: () => T | Promise<T>) => Promise<T>;

export function createEventLoopShareQueue({
  share,
  freeMs = 2,
  clock = () => performance.now(),
}: EventLoopShareQueueOptions): EventLoopShareQueue {
  /** In the order in which payers get their next run. */
  const queues = new Map<string, (() => void)[]>();
  let isBusy = false;

  function startNext(): void {
    const [first] = queues;
    isBusy = first !== undefined;
    if (!first) return;
    const [payer, [start, ...rest]] = first;
    queues.delete(payer);
    if (rest.length > 0) queues.set(payer, rest);
    start?.();
  }

  const waitForTurn = (payer: string) =>
    new Promise<void>((start) => queues.set(payer, [...(queues.get(payer) ?? []), start]));

  function run<T>(work: () => T): T {
    const startedAt = clock();
    try {
      return work();
    } finally {
      const tookMs = clock() - startedAt;
      if (tookMs > freeMs) setTimeout(startNext, tookMs * (1 / share - 1));
      else setImmediate(startNext);
    }
  }

  return async (payer, work) => {
    if (isBusy) await waitForTurn(payer);
    isBusy = true;
    return run(work);
  };
}
