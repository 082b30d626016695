/** `npm run simulate -- --seed N --steps N`: walks, and when something is found, makes it short and writes it as a test. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type WorldResult, walkInParallel } from './parallel-walks.ts';
import type { CpuTimes } from './walk.ts';
import { planWorlds } from './plan-worlds.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    seconds: { type: 'string' },
    world: { type: 'string', default: '500' },
    books: { type: 'string', default: '100' },
    tally: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
    lanes: { type: 'string', default: String(availableParallelism()) },
    'no-hints': { type: 'boolean', default: false },
    'keep-long': { type: 'boolean', default: false },
  },
});

/** Of a server whose data nobody wants back, nor to know how it is. */
const hasty = [
  ...['synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
  ...['max_wal_size=8GB', 'checkpoint_timeout=1h', 'bgwriter_lru_maxpages=0', 'shared_buffers=512MB'],
  ...['track_activities=off', 'update_process_title=off', 'jit=off'],
].flatMap((setting) => ['-c', setting]);
const shrinkMs = 120_000;
/** A planted fault is found by what every walk begins with, or a little later. */
const count = Number(values.steps ?? (values.planted ? 100 : 2000));
const lanes = Number(values.lanes);
const booksEvery = Number(values.books);

async function simulate(seed: number): Promise<boolean> {
  const started = performance.now();
  let taken = 0;
  const walked = await walkInParallel(planWorlds(seed, count, Number(values.world)), {
    ...{ workers: lanes, auditEvery: booksEvery },
    until: values.seconds === undefined ? undefined : started + Number(values.seconds) * 1000,
    progress({ step }) {
      taken += step;
      if (process.stderr.isTTY) process.stderr.write(`\r${taken} of ${count} steps`);
    },
  });
  if (values.tally) console.table(talliesOf(walked));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(timesOf(taken, walked));
  const found = walked.filter(({ message: said }) => said !== undefined);
  if (found.length === 0)
    console.log(`seed ${seed}: ${taken} steps in ${walked.length} worlds in ${seconds} s, nothing found`);
  for (const { world: place, step, message: said } of found) console.log(`seed ${place.seed}, step ${step}: ${said}`);
  const [first] = found;
  if (first && !values['keep-long']) await makeShort(first);
  return found.length === 0;
}

/** In this process: the gateway is loaded only now. */
async function makeShort({ world: { seed, steps }, step, kind = '' }: WorldResult): Promise<void> {
  const [{ shrink }, { generateSteps: stepsOf }, { walk }, { writeRegressionTest: writeTest }] = await Promise.all([
    import('./shrink.ts'),
    import('./generate-steps.ts'),
    import('./walk.ts'),
    import('./write-regression-test.ts'),
  ]);
  let fault: Parameters<typeof writeTest>[1] | undefined;
  const again = async (some: Parameters<typeof walk>[0]) => {
    const found = await walk(some, { auditEvery: booksEvery });
    if (found?.violation.kind === kind) fault = found.violation;
    return found;
  };
  const until = performance.now() + shrinkMs;
  const short = await shrink(stepsOf(seed, steps).slice(0, step), kind, again, until);
  if (fault) console.log(`the same with ${short.length} steps: ${writeTest(seed, fault, short)}`);
  else console.log(`the same is not found again with fewer steps: --seed ${seed} --steps ${step}`);
}

function talliesOf(walked: readonly WorldResult[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { tally } of walked)
    for (const [outcome, times] of tally) sums.set(outcome, (sums.get(outcome) ?? 0) + times);
  return Object.fromEntries([...sums].sort());
}

/** Processor time, which is the same on a busy machine, and what a step costs of it. */
function timesOf(taken: number, walked: readonly WorldResult[]): string {
  const sumOf = (part: keyof CpuTimes) => walked.reduce((sum, { times }) => sum + times[part], 0) / 1000;
  const parts = (['play', 'sweep', 'books'] as const).map((part) => `${part} ${sumOf(part).toFixed(1)} s`);
  const whole = walked.reduce((sum, { seconds }) => sum + seconds, 0);
  return `${parts.join(', ')}, ${whole.toFixed(1)} s of processor time in all: ${(taken / whole).toFixed(1)} steps/s each`;
}

if (values.planted) {
  const { findPlantedBugs: findPlanted } = await import('./planted.ts');
  const { seed = '1', only } = values;
  const isFound = await findPlanted({
    ...{ seed: Number(seed), steps: count, only, workers: lanes },
    hints: !values['no-hints'],
  });
  process.exitCode = isFound ? 0 : 1;
} else {
  const postgres = values.postgres ? await startServer() : undefined;
  try {
    process.exitCode = (await simulate(Number(values.seed ?? Date.now() % 1_000_000))) ? 0 : 1;
  } finally {
    await postgres?.stop();
  }
}

/** Worlds that are made from now on, here and in the lanes, are databases of it. */
async function startServer() {
  const { startPostgres } = await import('../support/global-setup.ts');
  const server = await startPostgres(hasty);
  // By its socket: most of a step is many small statements, and each way through the network costs as much as some of them.
  process.env.SCRATCH_TEMPLATE = server.url.replace('127.0.0.1', encodeURIComponent(server.socket));
  return server;
}
