/**
 * Starts the concurrent requests of one payer in turns, for at most a millisecond per tick, while there are other payers: the number of its
 * connections does not determine how long a tick takes, and with it every request of the others.
 */

interface FairRequestStart {
  /** Undefined: start immediately, always for the only request of a payer. Otherwise start when the promise resolves. */
  enter(payer: string): Promise<void> | undefined;
  /** Must be called exactly once per entered request. */
  leave(payer: string): void;
}

interface RequestTurnsOptions {
  clock?: () => number;
}

/** Time per tick in which requests are started. */
const startMs = 1;
/** A payer is alone after this time without a request of another one. PERF: its requests are batched in ticks of any length. */
const aloneAfterMs = 1_000;

export function createFairRequestStart({
  clock = () => performance.now(),
}: RequestTurnsOptions = {}): FairRequestStart {
  const runningByPayer = new Map<string, number>();
  /** In the order in which payers get their next turn. */
  const queues = new Map<string, (() => void)[]>();
  let tickStartedAt = 0;
  let isScheduled = false;
  let lastPayer = '';
  let lastChangeAt = Number.NEGATIVE_INFINITY;

  function scheduleTick(): void {
    tickStartedAt = clock();
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (queues.size === 0) return;
      scheduleTick();
      startNext();
    });
  }

  function startNext(): void {
    const [first] = queues;
    if (!first) return;
    const [payer, queue] = first;
    queues.delete(payer);
    const start = queue.shift();
    if (queue.length > 0) queues.set(payer, queue);
    start?.();
    // After the microtasks of the started request, so that its work counts.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (clock() - tickStartedAt < startMs) startNext();
      }),
    );
  }

  const isTickOver = () => {
    if (!isScheduled) scheduleTick();
    return queues.size > 0 || clock() - tickStartedAt >= startMs;
  };

  return {
    enter(payer) {
      const count = runningByPayer.get(payer) ?? 0;
      runningByPayer.set(payer, count + 1);
      const time = clock();
      if (payer !== lastPayer) [lastPayer, lastChangeAt] = [payer, time];
      if (count === 0 || time - lastChangeAt > aloneAfterMs || !isTickOver()) return undefined;
      return new Promise((start) => {
        const queue = queues.get(payer);
        if (queue) queue.push(start);
        else queues.set(payer, [start]);
      });
    },
    leave(payer) {
      const count = (runningByPayer.get(payer) ?? 1) - 1;
      if (count > 0) runningByPayer.set(payer, count);
      else runningByPayer.delete(payer);
    },
  };
}
