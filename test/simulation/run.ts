/** `npm run simulate -- --seed N --steps N`: walks, and when something is found, makes it short and writes it as a test. */
import { parseArgs } from 'node:util';
import { shrink } from './shrink.ts';
import { stepsOf } from './steps.ts';
import { type Times, walk } from './walk.ts';
import { writeTest } from './write-test.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    seconds: { type: 'string' },
    books: { type: 'string', default: '100' },
    tally: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
    lanes: { type: 'string', default: '2' },
    'no-hints': { type: 'boolean', default: false },
    'keep-long': { type: 'boolean', default: false },
  },
});

const shrinkMs = 120_000;
/** A planted fault is found by what every walk begins with, or a little later. */
const count = Number(values.steps ?? (values.planted ? 100 : 2000));

async function simulate(seed: number): Promise<boolean> {
  const steps = stepsOf(seed, count);
  const started = performance.now();
  const booksEvery = Number(values.books);
  const until = values.seconds === undefined ? undefined : started + Number(values.seconds) * 1000;
  let taken = 0;
  const tally = new Map<string, number>();
  const times: Times = { play: 0, sweep: 0, books: 0 };
  const found = await walk(steps, {
    booksEvery,
    times,
    until,
    tally,
    progress(number) {
      taken = number;
      if (process.stderr.isTTY && number % 20 === 0)
        process.stderr.write(`\r${number} of ${steps.length} steps`);
    },
  });
  if (values.tally) console.table(Object.fromEntries([...tally].sort()));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(timesOf(taken, times));
  if (!found) {
    console.log(`seed ${seed}: ${taken} steps in ${seconds} s, nothing found`);
    return true;
  }
  console.log(`seed ${seed}, step ${found.steps}: ${found.fault.message}`);
  if (values['keep-long']) return false;
  const short = await shrink(
    steps.slice(0, found.steps),
    found.fault.kind,
    (some) => walk(some, { booksEvery }),
    performance.now() + shrinkMs,
  );
  console.log(`the same with ${short.length} steps: ${writeTest(seed, found.fault, short)}`);
  return false;
}

/** Processor time, which is the same on a busy machine, and what a step costs of it. */
function timesOf(taken: number, times: Times): string {
  const parts = Object.entries(times).map(([part, ms]) => `${part} ${(ms / 1000).toFixed(1)} s`);
  const whole = times.play + times.sweep + times.books;
  return `${parts.join(', ')} of processor time: ${((taken * 1000) / whole).toFixed(1)} steps/s`;
}

if (values.planted) {
  const { findPlanted } = await import('./planted.ts');
  const { seed = '1', only, lanes } = values;
  const isFound = await findPlanted({
    ...{ seed: Number(seed), steps: count, only, lanes: Number(lanes) },
    hints: !values['no-hints'],
  });
  process.exitCode = isFound ? 0 : 1;
} else process.exitCode = (await simulate(Number(values.seed ?? Date.now() % 1_000_000))) ? 0 : 1;
