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

/** Units per key and window. */
export function createBudgetUsageCounter(clock: () => number = Date.now) {
  const usages = createNamedLru<BudgetUsage>('budgets', maxPayers);
  return {
    /** Adds units, which may be negative. Returns the units of the window, and the milliseconds until it ends. */
    add(key: string, units: number): { used: number; ms: number } {
      const time = clock();
      let usage = usages.get(key);
      if (!usage || usage.endsAt <= time) {
        usage = { used: 0, endsAt: time + requestBudgetWindowMs };
        usages.set(key, usage);
      }
      usage.used = Math.max(0, usage.used + units);
      return { used: usage.used, ms: usage.endsAt - time };
    },
    set: (key: string, used: number, ms: number) => void usages.set(key, { used, endsAt: clock() + ms }),
  };
}

interface LocalRequestBudgets extends RequestBudgets {
  /** Sets the usage that all processes have counted together, and the milliseconds until the window ends. */
  setSharedUsage(key: string, used: number, ms: number): void;
}

export function createLocalRequestBudgets(
  limit: number,
  clock: () => number = Date.now,
): LocalRequestBudgets {
  const usage = createBudgetUsageCounter(clock);
  return {
    spend(key, units): RequestBudgetState {
      const { used, ms } = usage.add(key, units);
      return { limit, remaining: limit - used, reset: Math.ceil(ms / 1000) };
    },
    setSharedUsage: usage.set,
    close: async () => {},
  };
}
