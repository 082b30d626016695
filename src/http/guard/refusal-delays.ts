/** Delays 401 and 429 responses to a network that collects many of them: a client that waits for its responses sends fewer requests. */
import { createNamedLru } from '../../lib/cache/named-lru.ts';

export interface RefusalDelays {
  /** Counts a refusal. Undefined: send it at once. */
  delay(network: string): Promise<void> | undefined;
  /** So many refusals of the network are delayed that its requests without credentials must be refused before any other work. */
  isSaturated(network: string): boolean;
}

export interface RefusalDelayOptions {
  clock?: () => number;
  sleep?: (ms: number) => Promise<void>;
}

/** Refusals that a network gets at once, and those that it may get again per second. */
export const undelayedRefusals = 200;
const undelayedPerSecond = 20;
const delayMs = 1_000;
/** Bounds of the memory that delayed responses take, about 10 KB each. */
export const maxDelayedPerNetwork = 400;
const maxDelayed = 4_000;
/** Networks whose refusals are counted; beyond it, the least recently used start again. */
const maxNetworks = 20_000;

interface RefusalCount {
  /** Refusals that are left before the first delay. */
  left: number;
  at: number;
}

const sleepMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createRefusalDelays({
  clock = () => performance.now(),
  sleep = sleepMs,
}: RefusalDelayOptions = {}): RefusalDelays {
  const counts = createNamedLru<RefusalCount>('refusals', maxNetworks);
  const delayedByNetwork = new Map<string, number>();
  let delayed = 0;

  function countRefusal(network: string): boolean {
    const at = clock();
    const { left, at: since } = counts.get(network) ?? { left: undelayedRefusals, at };
    const refilled = Math.min(undelayedRefusals, left + ((at - since) / 1000) * undelayedPerSecond);
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
      if (countRefusal(network)) return undefined;
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
