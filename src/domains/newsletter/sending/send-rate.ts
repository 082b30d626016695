/** Rate limiter for outgoing newsletter mails. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Each call waits for the next slot; slots are spread evenly over the second. */
export function createSendRateLimiter(perSecond: number): () => Promise<void> {
  const step = 1000 / perSecond;
  let slot = performance.now();
  return async () => {
    const time = performance.now();
    // Unused slots expire, so that no burst follows an idle time.
    slot = Math.max(slot + step, time);
    if (slot > time) await sleep(slot - time);
  };
}
