/** How long a request kept the event loop busy: nobody else is answered meanwhile. */
import { assertContract } from '../simulation/contract-violation.ts';
import { cpuSlowdown, threadCpuMs } from '../support/cpu-time.ts';

const mostMs = 100;
const tries = 4;

/** Code runs slowly at first, and beside others: what takes long must take long every time, as a quiet machine would see it. */
export async function assertResponsive<T>(kind: string, what: () => string, ask: () => Promise<T>): Promise<T> {
  const [told, first] = await timed(ask);
  let least = first;
  for (let again = 1; again < tries && least > mostMs; again += 1)
    least = Math.min(least, (await timed(ask))[1]);
  assertContract(least <= mostMs, `busy with ${kind}`, () => `${least.toFixed(0)} ms: ${what()}`);
  return told;
}

async function timed<T>(ask: () => Promise<T>): Promise<[T, number]> {
  const before = threadCpuMs();
  const told = await ask();
  const ms = threadCpuMs() - before;
  return [told, ms > mostMs ? ms / cpuSlowdown() : ms];
}
