/** The time that work takes, whatever else the machine does. */
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const ownTime = '/proc/thread-self/schedstat';

/** What this thread has worked, without waiting for the processor: others use that too. Where nobody knows, the loop's time, which counts waiting. */
export const threadCpuMs = existsSync(ownTime)
  ? () => Number(readFileSync(ownTime, 'utf8').split(' ')[0]) / 1e6
  : () => performance.eventLoopUtilization().active;

/** What `lookUp` works on a machine that does nothing else. */
const quietMs = 12;

/** How many times longer than on a quiet machine work takes here and now: whoever shares its caches and clock makes it slower, not longer. */
export function cpuSlowdown(): number {
  const before = threadCpuMs();
  lookUp(Array.from({ length: 10_000 }, (_none, index) => ({ path: ['prices', index], value: -index })));
  return Math.max(1, (threadCpuMs() - before) / quietMs);
}

/** Objects, texts and lists, as in the check of a large body. */
function lookUp(sample: readonly { path: (string | number)[]; value: number }[]): void {
  const copies = JSON.parse(JSON.stringify(sample)) as typeof sample;
  const byField = new Map(copies.map((copy) => [copy.path.join('.'), { ...copy }]));
  [...byField.values()].sort((one, other) => one.value - other.value);
}
