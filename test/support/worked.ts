/** The time that work takes, whatever else the machine does. */
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const ownTime = '/proc/thread-self/schedstat';

/** What this thread has worked, without waiting for the processor: others use that too. Where nobody knows, the loop's time, which counts waiting. */
export const workedMs = existsSync(ownTime)
  ? () => Number(readFileSync(ownTime, 'utf8').split(' ')[0]) / 1e6
  : () => performance.eventLoopUtilization().active;
