/** Budgets counted in this process, within a bounded memory. */

import { remembered } from '../../lib/remembered.ts';
import type { BudgetState, Budgets } from '../../ports/budgets.ts';

export const windowMs = 60_000;

/** Beyond this many callers in a minute, those not seen for longest begin anew: too generous beats out of memory. */
const maxCallers = 50_000;

interface Purse {
  used: number;
  endsAt: number;
}

export interface LocalBudgets extends Budgets {
  /** What all processes together have counted, and for how many milliseconds it counts. */
  learn(key: string, used: number, ms: number): void;
}

export function createLocalBudgets(limit: number, clock: () => number = Date.now): LocalBudgets {
  const purses = remembered<Purse>('budgets', maxCallers);

  function purseOf(key: string, time: number): Purse {
    const known = purses.get(key);
    if (known && known.endsAt > time) return known;
    const fresh = { used: 0, endsAt: time + windowMs };
    purses.set(key, fresh);
    return fresh;
  }

  return {
    spend(key, units): BudgetState {
      const time = clock();
      const purse = purseOf(key, time);
      purse.used = Math.max(0, purse.used + units);
      return { limit, left: limit - purse.used, reset: Math.ceil((purse.endsAt - time) / 1000) };
    },
    learn(key, used, ms) {
      purses.set(key, { used, endsAt: clock() + ms });
    },
    close: async () => {},
  };
}
