/** Limits of the V8 heap that depend on its size and change while the process runs. */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const defaultMaxGrowthBytes = 256 * 1024 * 1024;
/**
 * V8 limits heap growth so that major GCs take less than 3 % of the time. The growth may be as low as 10 %, and then one major GC
 * follows the other and delays every request. Up to this percentage a small heap may always grow, to four times the live size.
 */
const maxGrowthPercent = 300;
const minGrowthPercent = 20;

/**
 * While a program starts, nearly all objects survive, and the new space would grow to tens of megabytes, which an idle process never
 * returns to the operating system.
 */
const fixedNewSpace = '--semi-space-growth-factor=1';
/** V8's default. */
const growingNewSpace = '--semi-space-growth-factor=2';

/** Flags of a program that starts. */
const startFlags: readonly string[] = [fixedNewSpace, `--heap-growing-percent=${maxGrowthPercent}`];

/**
 * To be called when the program has started. From then on garbage amounts to at most `maxGrowthBytes` (256 MB), or a fifth of the live
 * objects, when a major GC begins.
 */
function adapt(maxGrowthBytes = defaultMaxGrowthBytes): void {
  let percent = maxGrowthPercent;
  setFlagsFromString(growingNewSpace);
  new PerformanceObserver(() => {
    // The size before the next major GC is at least the live size after it, so the limit is never exceeded.
    const atLimit = (100 * maxGrowthBytes) / getHeapStatistics().used_heap_size;
    const next = Math.round(Math.max(minGrowthPercent, Math.min(maxGrowthPercent, atLimit)));
    if (next === percent) return;
    percent = next;
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  }).observe({ entryTypes: ['gc'] });
}

export const heapGrowthLimiter = { startFlags, adapt };
