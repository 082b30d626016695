/** Delays 401 and 429 responses to a network that collects many of them: a client that waits for its responses sends fewer requests. */
import { createNamedLru } from '../../lib/cache/named-lru.ts';

interface RejectionDelays {
  /** Counts a 401 or 429 response. Undefined: send it without delay. */
  delay(network: string): Promise<void> | undefined;
  /** So many responses to the network are delayed that its requests without credentials must be rejected before any other work. */
  isSaturated(network: string): boolean;
}

export interface RejectionDelayOptions {
  clock?: () => number;
  sleep?: (ms: number) => Promise<void>;
}

/** Rejections that a network gets without delay, and those that it may get again per second. */
export const undelayedRejections = 200;
const undelayedPerSecond = 20;
const delayMs = 1_000;
/** Bounds of the memory that delayed responses take, about 10 KB each. */
export const maxDelayedPerNetwork = 400;
const maxDelayed = 4_000;
/** Networks whose rejections are counted; beyond it, the least recently used start again. */
const maxNetworks = 20_000;

interface RejectionCount {
  /** Rejections that are left before the first delay. */
  left: number;
  at: number;
}

const sleepMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createRejectionDelays({
  clock = () => performance.now(),
  sleep = sleepMs,
}: RejectionDelayOptions = {}): RejectionDelays {
  const counts = createNamedLru<RejectionCount>('refusals', maxNetworks);
  const delayedByNetwork = new Map<string, number>();
  let delayed = 0;

  function countRejection(network: string): boolean {
    const at = clock();
    const { left, at: since } = counts.get(network) ?? { left: undelayedRejections, at };
    const refilled = Math.min(undelayedRejections, left + ((at - since) / 1000) * undelayedPerSecond);
    counts.set(network, { left: Math.max(0, refilled - 1), at });
    return refilled >= 1;
  }

  const delayedOf = (network: string) => delayedByNetwork.get(network) ?? 0;

  function countDelayed(network: string, change: 1 | -1): void {
    delayed += change;
    const count = delayedOf(network) + change;
    if (count > 0) delayedByNetwork.set(network, count);
    else delayedByNetwork.delete(network);
  }

  return {
    delay(network) {
      if (countRejection(network)) return undefined;
      if (delayed >= maxDelayed || delayedOf(network) >= maxDelayedPerNetwork) return undefined;
      countDelayed(network, 1);
      return sleep(delayMs).then(() => countDelayed(network, -1));
    },
    isSaturated(network) {
      if (delayed === 0) return false;
      const count = delayedOf(network);
      return count >= maxDelayedPerNetwork || (delayed >= maxDelayed && count > 0);
    },
  };
}
