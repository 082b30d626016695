/** What happens to the way to a payment provider, in an order that follows from a seed: every kind once before any comes again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { FaultProxy } from '../../support/fault-proxy.ts';

interface Shop {
  way: FaultProxy;
  /** How many were told to come back. */
  refused(): number;
  /** What waits is tried. */
  work(): Promise<void>;
}

type Break = (way: FaultProxy, dice: Dice, shop: Shop) => Promise<void>;

const forAWhile = (dice: Dice) => sleep(dice.between(100, 300));

/** Nobody asking in this time is a fault of the test. */
async function lose(way: FaultProxy, to: RegExp): Promise<void> {
  const tooLong = new AbortController();
  const late = sleep(10_000, 'late', { signal: tooLong.signal }).catch(() => undefined);
  const first = await Promise.race([way.dropResponse(to), late]);
  tooLong.abort();
  if (first === 'late') throw new Error(`Nobody asks ${to}.`);
}

const breaks: Readonly<Record<string, Break>> = {
  async delay(way, dice) {
    way.delay(dice.between(5, 60));
    await forAWhile(dice);
  },
  async cut(way, dice) {
    for (let times = dice.between(2, 5); times > 0; times -= 1) {
      way.resetConnections();
      await sleep(dice.between(5, 60));
    }
  },
  async halfOpen(way, dice) {
    way.stall();
    await forAWhile(dice);
    // The connections may be as they were, or not.
    if (dice.chance(0.5)) way.resetConnections();
  },
  async refuse(way, dice) {
    way.refuseConnections();
    await forAWhile(dice);
  },
  /** Until the SDK has given up for somebody. */
  async lostPages(way, _dice, { refused }) {
    const before = refused();
    while (refused() === before) await lose(way, /^POST \/v1\/checkout\/sessions/);
  },
  /** So often that some of them are left to their job. */
  async lostRefunds(way) {
    for (let times = 8; times > 0; times -= 1) await lose(way, /^POST \/v1\/refunds/);
  },
};

/** The SDK waits ten seconds for an answer that never comes. */
const slow: Readonly<Record<string, Break>> = {
  async forget(way) {
    way.stallOpenConnections();
  },
};

/** Breaks it in one way after the other for so long, each once at least. */
export async function breakTheWay(shop: Shop, dice: Dice, seconds: number, done: string[]): Promise<void> {
  const until = performance.now() + seconds * 1000;
  do {
    const waiting = Object.entries(seconds > 0 ? { ...breaks, ...slow } : breaks);
    while (waiting.length > 0) {
      const [[name, hurt] = ['', async () => {}]] = waiting.splice(dice.between(0, waiting.length - 1), 1);
      const began = performance.now();
      // Jobs ask the provider too, while the way is broken.
      const working = shop.work();
      try {
        await hurt(shop.way, dice, shop);
      } finally {
        shop.way.restore();
        await working;
      }
      done.push(`${name} (${Math.round(performance.now() - began)} ms)`);
    }
  } while (performance.now() < until);
}
