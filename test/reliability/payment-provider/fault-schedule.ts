/** Schedule of network faults between the gateway and the payment provider, in an order derived from a seed: every kind occurs once before any repeats. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { FaultProxy } from '../../support/fault-proxy.ts';

interface FaultTarget {
  proxy: FaultProxy;
  /** Number of checkouts that failed with 503. */
  failedCheckouts(): number;
  /** Runs pending jobs. */
  runJobs(): Promise<void>;
}

type InjectFault = (proxy: FaultProxy, dice: Dice, target: FaultTarget) => Promise<void>;

const pause = (dice: Dice) => sleep(dice.between(100, 300));

/** Drops the response to the next matching request. Without one within 10 seconds, the test itself is wrong. */
async function dropResponse(proxy: FaultProxy, pattern: RegExp): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(10_000, 'timeout', { signal: timer.signal }).catch(() => undefined);
  const first = await Promise.race([proxy.dropResponse(pattern), timeout]);
  timer.abort();
  if (first === 'timeout') throw new Error(`No request matched ${pattern} within 10 seconds.`);
}

const faults: Readonly<Record<string, InjectFault>> = {
  async delay(proxy, dice) {
    proxy.delay(dice.between(5, 60));
    await pause(dice);
  },
  async cut(proxy, dice) {
    for (let times = dice.between(2, 5); times > 0; times -= 1) {
      proxy.resetConnections();
      await sleep(dice.between(5, 60));
    }
  },
  async halfOpen(proxy, dice) {
    proxy.stall();
    await pause(dice);
    // The stalled connections either continue or are reset.
    if (dice.chance(0.5)) proxy.resetConnections();
  },
  async refuse(proxy, dice) {
    proxy.refuseConnections();
    await pause(dice);
  },
  /** Until the SDK has used up its retries for a checkout. */
  async lostPages(proxy, _dice, { failedCheckouts }) {
    const before = failedCheckouts();
    while (failedCheckouts() === before) await dropResponse(proxy, /^POST \/v1\/checkout\/sessions/);
  },
  /** Often enough that some refunds are left to the retry job. */
  async lostRefunds(proxy) {
    for (let times = 8; times > 0; times -= 1) await dropResponse(proxy, /^POST \/v1\/refunds/);
  },
};

/** The SDK waits ten seconds for a response on a stalled connection. */
const slowFaults: Readonly<Record<string, InjectFault>> = {
  async forget(proxy) {
    proxy.stallOpenConnections();
  },
};

/** Injects faults one after the other for `seconds`, each kind at least once, and logs them in `injected`. */
export async function injectProviderFaults(
  target: FaultTarget,
  dice: Dice,
  seconds: number,
  injected: string[],
): Promise<void> {
  const endAt = performance.now() + seconds * 1000;
  do {
    const remaining = Object.entries(seconds > 0 ? { ...faults, ...slowFaults } : faults);
    while (remaining.length > 0) {
      const [[name, inject] = ['', async () => {}]] = remaining.splice(
        dice.between(0, remaining.length - 1),
        1,
      );
      const startedAt = performance.now();
      // Jobs call the provider during the fault too.
      const jobs = target.runJobs();
      try {
        await inject(target.proxy, dice, target);
      } finally {
        target.proxy.restore();
        await jobs;
      }
      injected.push(`${name} (${Math.round(performance.now() - startedAt)} ms)`);
    }
  } while (performance.now() < endAt);
}
