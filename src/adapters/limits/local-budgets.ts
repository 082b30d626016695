/** Request budgets counted in this process, in a bounded cache. */
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import type { RequestBudgetState, RequestBudgets } from '../../ports/request-budgets.ts';

export const requestBudgetWindowMs = 60_000;

/** Beyond this many payers per minute, the least recently used start with a full budget: too generous is better than out of memory. */
const maxPayers = 50_000;

interface BudgetUsage {
  used: number;
  endsAt: number;
}

export interface LocalRequestBudgets extends RequestBudgets {
  /** Sets the usage that all processes have counted together, and the milliseconds until the window ends. */
  setSharedUsage(key: string, used: number, ms: number): void;
}

export function createLocalRequestBudgets(
  limit: number,
  clock: () => number = Date.now,
): LocalRequestBudgets {
  const usages = createNamedLru<BudgetUsage>('budgets', maxPayers);

  function usageOf(key: string, time: number): BudgetUsage {
    const current = usages.get(key);
    if (current && current.endsAt > time) return current;
    const newUsage = { used: 0, endsAt: time + requestBudgetWindowMs };
    usages.set(key, newUsage);
    return newUsage;
  }

  return {
    spend(key, units): RequestBudgetState {
      const time = clock();
      const usage = usageOf(key, time);
      usage.used = Math.max(0, usage.used + units);
      return { limit, remaining: limit - usage.used, reset: Math.ceil((usage.endsAt - time) / 1000) };
    },
    setSharedUsage(key, used, ms) {
      usages.set(key, { used, endsAt: clock() + ms });
    },
    close: async () => {},
  };
}
