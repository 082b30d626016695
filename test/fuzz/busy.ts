/** How long a request kept the event loop busy: nobody else is answered meanwhile. */
import { demand } from '../simulation/fault.ts';
import { slowness, workedMs } from '../support/worked.ts';

const mostMs = 100;
const tries = 4;

/** Code runs slowly at first, and beside others: what takes long must take long every time, as a quiet machine would see it. */
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
  const ms = workedMs() - before;
  return [told, ms > mostMs ? ms / slowness() : ms];
}
