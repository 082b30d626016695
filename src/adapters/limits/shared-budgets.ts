/**
 * Request budgets shared by several processes through Redis. Each process counts locally and reports to Redis in batches every 100 ms, so that
 * no request waits; the counts of other processes arrive with the response. While Redis is unavailable each process counts alone.
 */
import type { Redis } from 'ioredis';
import type { RequestBudgets } from '../../ports/request-budgets.ts';
import { createLocalRequestBudgets, requestBudgetWindowMs } from './local-budgets.ts';

const reportIntervalMs = 100;

const incrementScript = `local used = redis.call('INCRBY', KEYS[1], ARGV[1])
local ms = redis.call('PTTL', KEYS[1])
if ms < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) ms = tonumber(ARGV[2]) end
return {used, ms}`;

export function createSharedRequestBudgets(redis: Redis, limit: number): RequestBudgets {
  const local = createLocalRequestBudgets(limit);
  let unreported = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function report(): Promise<void> {
    timer = undefined;
    const reported = [...unreported];
    unreported = new Map();
    const batch = redis.pipeline();
    for (const [key, units] of reported)
      batch.eval(incrementScript, 1, `duet:budget:${key}`, units, requestBudgetWindowMs);
    // A batch that cannot be sent is dropped; this process has counted it locally.
    const results = (await batch.exec().catch(() => null)) ?? [];
    for (const [index, [error, result]] of results.entries()) {
      const key = reported[index]?.[0];
      if (error || key === undefined) continue;
      const [used, ms] = result as [number, number];
      local.setSharedUsage(key, used + (unreported.get(key) ?? 0), ms);
    }
  }

  return {
    spend(key, units) {
      if (units !== 0) {
        unreported.set(key, (unreported.get(key) ?? 0) + units);
        timer ??= setTimeout(report, reportIntervalMs).unref();
      }
      return local.spend(key, units);
    },
    async close() {
      clearTimeout(timer);
    },
  };
}
