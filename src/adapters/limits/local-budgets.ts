/** Budgets counted in this process, within a bounded memory. */

import { createNamedLru } from '../../lib/cache/named-lru.ts';
import type { RequestBudgetState, RequestBudgets } from '../../ports/request-budgets.ts';

export const budgetWindowMs = 60_000;

/** Beyond this many callers in a minute, those not seen for longest begin anew: too generous beats out of memory. */
const maxCallers = 50_000;

interface Purse {
  used: number;
  endsAt: number;
}

export interface LocalBudgets extends RequestBudgets {
  /** What all processes together have counted, and for how many milliseconds it counts. */
  setSharedUsage(key: string, used: number, ms: number): void;
}

export function createLocalBudgets(limit: number, clock: () => number = Date.now): LocalBudgets {
  const purses = createNamedLru<Purse>('budgets', maxCallers);

  function purseOf(key: string, time: number): Purse {
    const known = purses.get(key);
    if (known && known.endsAt > time) return known;
    const fresh = { used: 0, endsAt: time + budgetWindowMs };
    purses.set(key, fresh);
    return fresh;
  }

  return {
    spend(key, units): RequestBudgetState {
      const time = clock();
      const purse = purseOf(key, time);
      purse.used = Math.max(0, purse.used + units);
      return { limit, remaining: limit - purse.used, reset: Math.ceil((purse.endsAt - time) / 1000) };
    },
    setSharedUsage(key, used, ms) {
      purses.set(key, { used, endsAt: clock() + ms });
    },
    close: async () => {},
  };
}
