/**
 * Request budgets shared by several processes through Redis, or through the primary of several workers. Each process counts locally and
 * reports in batches every 100 ms, so that no request waits; the counts of other processes arrive with the response. While Redis is
 * unavailable each process counts alone.
 */
import type { Redis } from 'ioredis';
import type { RequestBudgets } from '../../ports/request-budgets.ts';
import { createLocalRequestBudgets, requestBudgetWindowMs } from './in-process-request-budgets.ts';

const reportIntervalMs = 100;

const incrementScript = `local used = redis.call('INCRBY', KEYS[1], ARGV[1])
local ms = redis.call('PTTL', KEYS[1])
if ms < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) ms = tonumber(ARGV[2]) end
return {used, ms}`;

/** Adds units by key; the results have the order of the batch, with undefined for a key that could not be counted. */
type ReportBudgetUsage = (
  batch: readonly (readonly [key: string, units: number])[],
) => Promise<readonly ([used: number, ms: number] | undefined)[]>;

/** A batch that cannot be sent is dropped; this process has counted it locally. */
export const createRedisBudgetReporter =
  (redis: Redis): ReportBudgetUsage =>
  async (batch) => {
    const pipeline = redis.pipeline();
    for (const [key, units] of batch)
      pipeline.eval(incrementScript, 1, `duet:budget:${key}`, units, requestBudgetWindowMs);
    const results = (await pipeline.exec().catch(() => null)) ?? [];
    return results.map(([error, result]) => (error ? undefined : (result as [number, number])));
  };

export function createSharedRequestBudgets(reportUsage: ReportBudgetUsage, limit: number): RequestBudgets {
  const local = createLocalRequestBudgets(limit);
  let unreported = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function report(): Promise<void> {
    timer = undefined;
    const reported = [...unreported];
    unreported = new Map();
    const results = await reportUsage(reported).catch(() => []);
    for (const [index, result] of results.entries()) {
      const key = reported[index]?.[0];
      if (!result || key === undefined) continue;
      const [used, ms] = result;
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
