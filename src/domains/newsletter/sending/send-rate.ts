/** Keeps a stream of work at or below a rate. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Each call waits for its turn; turns are evenly spread over the second. */
export function createSendRateLimiter(perSecond: number): () => Promise<void> {
  const step = 1000 / perSecond;
  let turn = performance.now();
  return async () => {
    const time = performance.now();
    // Turns nobody took are not made up for in a burst.
    turn = Math.max(turn + step, time);
    if (turn > time) await sleep(turn - time);
  };
}
