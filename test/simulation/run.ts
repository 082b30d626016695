/** `npm run simulate -- --seed N --steps N`: runs random walks; shortens the first finding and writes it as a regression test. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type WorldResult, walkInParallel } from './parallel-walks.ts';
import { planWorlds } from './plan-worlds.ts';
import type { CpuTimes } from './walk.ts';

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

/** Settings of a PostgreSQL server without durability and statistics. */
const fastSettings = [
  ...['synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
  ...['max_wal_size=8GB', 'checkpoint_timeout=1h', 'bgwriter_lru_maxpages=0', 'shared_buffers=512MB'],
  ...['track_activities=off', 'update_process_title=off', 'jit=off'],
].flatMap((setting) => ['-c', setting]);
const shrinkMs = 120_000;
/** Planted bugs are found by the scenarios at the start of every walk, or soon after. */
const stepCount = Number(values.steps ?? (values.planted ? 100 : 2000));
const workers = Number(values.lanes);
const auditEvery = Number(values.books);

async function simulate(seed: number): Promise<boolean> {
  const started = performance.now();
  let stepsTaken = 0;
  const results = await walkInParallel(planWorlds(seed, stepCount, Number(values.world)), {
    ...{ workers, auditEvery },
    until: values.seconds === undefined ? undefined : started + Number(values.seconds) * 1000,
    progress({ step }) {
      stepsTaken += step;
      if (process.stderr.isTTY) process.stderr.write(`\r${stepsTaken} of ${stepCount} steps`);
    },
  });
  if (values.tally) console.table(sumTallies(results));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(formatTimes(stepsTaken, results));
  const findings = results.filter(({ message }) => message !== undefined);
  if (findings.length === 0)
    console.log(
      `seed ${seed}: ${stepsTaken} steps in ${results.length} worlds in ${seconds} s, nothing found`,
    );
  for (const { world, step, message } of findings)
    console.log(`seed ${world.seed}, step ${step}: ${message}`);
  const [first] = findings;
  if (first && !values['keep-long']) await shortenFinding(first);
  return findings.length === 0;
}

/** Shortens a finding in this process, which loads the gateway only now. */
async function shortenFinding({ world: { seed, steps }, step, kind = '' }: WorldResult): Promise<void> {
  const [{ shrink }, { generateSteps: stepsOf }, { walk }, { writeRegressionTest: writeTest }] =
    await Promise.all([
      import('./shrink.ts'),
      import('./generate-steps.ts'),
      import('./walk.ts'),
      import('./write-regression-test.ts'),
    ]);
  let violation: Parameters<typeof writeTest>[1] | undefined;
  const reproduce = async (steps: Parameters<typeof walk>[0]) => {
    const findings = await walk(steps, { auditEvery });
    if (findings?.violation.kind === kind) violation = findings.violation;
    return findings;
  };
  const until = performance.now() + shrinkMs;
  const shortest = await shrink(stepsOf(seed, steps).slice(0, step), kind, reproduce, until);
  if (violation)
    console.log(`reproduced with ${shortest.length} steps: ${writeTest(seed, violation, shortest)}`);
  else console.log(`not reproduced with fewer steps: --seed ${seed} --steps ${step}`);
}

function sumTallies(results: readonly WorldResult[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { tally } of results)
    for (const [result, times] of tally) sums.set(result, (sums.get(result) ?? 0) + times);
  return Object.fromEntries([...sums].sort());
}

/** CPU time by part, which does not depend on the load of the machine, and steps per CPU second. */
function formatTimes(stepsTaken: number, results: readonly WorldResult[]): string {
  const sumOf = (part: keyof CpuTimes) => results.reduce((sum, { times }) => sum + times[part], 0) / 1000;
  const parts = (['steps', 'records', 'audit'] as const).map((part) => `${part} ${sumOf(part).toFixed(1)} s`);
  const totalSeconds = results.reduce((sum, { seconds }) => sum + seconds, 0);
  return `${parts.join(', ')}, ${totalSeconds.toFixed(1)} s of CPU time in total: ${(stepsTaken / totalSeconds).toFixed(1)} steps/s each`;
}

if (values.planted) {
  const { findPlantedBugs } = await import('./planted.ts');
  const { seed = '1', only } = values;
  const areAllFound = await findPlantedBugs({
    ...{ seed: Number(seed), steps: stepCount, only, workers },
    hints: !values['no-hints'],
  });
  process.exitCode = areAllFound ? 0 : 1;
} else {
  const postgres = values.postgres ? await startServer() : undefined;
  try {
    process.exitCode = (await simulate(Number(values.seed ?? Date.now() % 1_000_000))) ? 0 : 1;
  } finally {
    await postgres?.stop();
  }
}

/** Starts a PostgreSQL server for the worlds of this process and of the workers. */
async function startServer() {
  const { startPostgres } = await import('../support/global-setup.ts');
  const server = await startPostgres(fastSettings);
  // Through the Unix socket: a step consists of many small statements, for which TCP costs a large share.
  process.env.SCRATCH_TEMPLATE = server.url.replace('127.0.0.1', encodeURIComponent(server.socket));
  return server;
}
