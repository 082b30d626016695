/**
 * How long a piece of work holds the event loop: the longest turn in CPU time of this thread. Time on the clock would count whatever
 * else the machine does meanwhile, and the CPU time of the process the work of other threads.
 */
import { readFileSync } from 'node:fs';

/** CPU time of the calling thread in milliseconds; of the whole process where Linux does not tell. */
export function cpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuMs();
  let running = true;
  const look = () => {
    const at = cpuMs();
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
