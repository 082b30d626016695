/**
 * Measures how long work blocks the event loop: the longest tick in CPU time of this thread. Wall-clock time would include other
 * programs on the machine, and the CPU time of the process would include other threads.
 */
import { cpuSlowdown, threadCpuMs } from './cpu-time.ts';

export async function longestTickMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let previous = threadCpuMs();
  let running = true;
  const measure = () => {
    const current = threadCpuMs();
    longest = Math.max(longest, current - previous);
    previous = current;
    if (running) setImmediate(measure);
  };
  setImmediate(measure);
  await work();
  running = false;
  measure();
  return longest;
}

/**
 * The shortest result of up to 8 runs, because the first run compiles code and any run may hit a garbage collection. A result above
 * `limitMs` is divided by the current slowdown of the machine.
 */
export async function shortestBlockingMs(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 8 && shortest > limitMs; run += 1) {
    const blockedMs = await longestTickMs(work);
    shortest = Math.min(shortest, blockedMs > limitMs ? blockedMs / cpuSlowdown() : blockedMs);
  }
  return shortest;
}
