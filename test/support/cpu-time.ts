/** CPU time of the current thread, corrected for the load of the machine. */
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const schedstatFile = '/proc/thread-self/schedstat';

/**
 * CPU time of this thread in milliseconds. Without Linux's schedstat, the active time of the event loop, which includes waiting for a core.
 */
export const threadCpuMs = existsSync(schedstatFile)
  ? () => Number(readFileSync(schedstatFile, 'utf8').split(' ')[0]) / 1e6
  : () => performance.eventLoopUtilization().active;

/** CPU milliseconds of `runBenchmark` on an idle machine. */
const idleMs = 12;

/** Current slowdown of the CPU, at least 1: other programs share its caches and clock rate, which CPU time does not exclude. */
export function cpuSlowdown(): number {
  const before = threadCpuMs();
  runBenchmark(
    Array.from({ length: 10_000 }, (_none, index) => ({ path: ['prices', index], value: -index })),
  );
  return Math.max(1, (threadCpuMs() - before) / idleMs);
}

/** Work on objects, strings and arrays, similar to the validation of a large body. */
function runBenchmark(sample: readonly { path: (string | number)[]; value: number }[]): void {
  const copies = JSON.parse(JSON.stringify(sample)) as typeof sample;
  const byField = new Map(copies.map((copy) => [copy.path.join('.'), { ...copy }]));
  [...byField.values()].sort((first, second) => first.value - second.value);
}
