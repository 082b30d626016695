/** How long a request kept the event loop busy: nobody else is answered meanwhile. */
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { demand } from '../simulation/fault.ts';

const mostMs = 100;
const tries = 4;

/** Code runs slowly at first: what takes long must take long every time. */
export async function promptly<T>(kind: string, what: () => string, ask: () => Promise<T>): Promise<T> {
  const [told, first] = await timed(ask);
  let least = first;
  for (let again = 1; again < tries && least > mostMs; again += 1)
    least = Math.min(least, (await timed(ask))[1]);
  demand(least <= mostMs, `busy with ${kind}`, () => `${least.toFixed(0)} ms: ${what()}`);
  return told;
}

async function timed<T>(ask: () => Promise<T>): Promise<[T, number]> {
  const before = workedMs();
  const told = await ask();
  return [told, workedMs() - before];
}

const ownTime = '/proc/thread-self/schedstat';

/** What this thread has worked, without waiting for the processor: others use that too. Where nobody knows, the loop's time, which counts waiting. */
const workedMs = existsSync(ownTime)
  ? () => Number(readFileSync(ownTime, 'utf8').split(' ')[0]) / 1e6
  : () => performance.eventLoopUtilization().active;
