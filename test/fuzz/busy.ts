/** How long a request kept the event loop busy: nobody else is answered meanwhile. */
import { performance } from 'node:perf_hooks';
import { demand } from '../simulation/fault.ts';

const mostMs = 100;
const tries = 4;

/** Others use the processor too, and code runs slowly at first: what takes long must take long every time. */
export async function promptly<T>(kind: string, what: () => string, ask: () => Promise<T>): Promise<T> {
  const [told, first] = await timed(ask);
  let least = first;
  for (let again = 1; again < tries && least > mostMs; again += 1)
    least = Math.min(least, (await timed(ask))[1]);
  demand(least <= mostMs, `busy with ${kind}`, () => `${least.toFixed(0)} ms: ${what()}`);
  return told;
}

/** The loop's time counts waiting for the processor, the process's that of other threads: the smaller is an upper bound of both. */
async function timed<T>(ask: () => Promise<T>): Promise<[T, number]> {
  const loop = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  const told = await ask();
  const { user, system } = process.cpuUsage(cpu);
  return [told, Math.min(performance.eventLoopUtilization(loop).active, (user + system) / 1000)];
}
