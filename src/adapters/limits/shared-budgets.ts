/**
 * Budgets shared by several processes over Redis. Each counts for itself and tells Redis in batches, so that no request waits; what
 * the others counted is known a moment later. While Redis is away each process goes on alone.
 */
import type { Redis } from 'ioredis';
import type { RequestBudgets } from '../../ports/request-budgets.ts';
import { budgetWindowMs, createLocalBudgets } from './local-budgets.ts';

const everyMs = 100;

const count = `local used = redis.call('INCRBY', KEYS[1], ARGV[1])
local ms = redis.call('PTTL', KEYS[1])
if ms < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) ms = tonumber(ARGV[2]) end
return {used, ms}`;

export function createSharedBudgets(redis: Redis, limit: number): RequestBudgets {
  const local = createLocalBudgets(limit);
  let untold = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function tell(): Promise<void> {
    timer = undefined;
    const telling = [...untold];
    untold = new Map();
    const batch = redis.pipeline();
    for (const [key, units] of telling) batch.eval(count, 1, `duet:budget:${key}`, units, budgetWindowMs);
    // What cannot be told is forgotten: this process has counted it.
    const answers = (await batch.exec().catch(() => null)) ?? [];
    for (const [place, [error, result]] of answers.entries()) {
      const key = telling[place]?.[0];
      if (error || key === undefined) continue;
      const [used, ms] = result as [number, number];
      local.setSharedUsage(key, used + (untold.get(key) ?? 0), ms);
    }
  }

  return {
    spend(key, units) {
      if (units !== 0) {
        untold.set(key, (untold.get(key) ?? 0) + units);
        timer ??= setTimeout(tell, everyMs).unref();
      }
      return local.spend(key, units);
    },
    async close() {
      clearTimeout(timer);
    },
  };
}
