/**
 * `npm run bench`: short, interleaved slices of every case; each result is a ratio to the bare server in the same round.
 * `--short` takes under two minutes and fails when a ratio of CPU time is 20 % below `baseline.json`; `--keep` writes that file.
 * `--compare <git ref>` also measures another build, `--metrics` this one with metrics on, `--with <NAME=value>` with a variable set.
 * `--only <words>` runs only cases whose name contains one of the comma-separated words.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bareCases, type Case, duetCases } from './cases.ts';
import { readBooks } from './check-written-orders.ts';
import { buildOf } from './compare.ts';
import { load, median, percentile, type Slice } from './load.ts';
import { duetProgram, type Running, startPostgres, startServer } from './servers.ts';
import { createWorld, unlimitedEnv } from './world.ts';

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    compare: { type: 'string' },
    metrics: { type: 'boolean', default: false },
    with: { type: 'string' },
    only: { type: 'string' },
  },
});
const setting = (name: string, full: number, short: number) =>
  Number(process.env[`BENCH_${name}`] ?? (flags.short ? short : full));
const rounds = setting('ROUNDS', 15, 7);
const sliceMs = setting('SLICE_MS', 800, 250);
/** V8 finishes optimising hot code after some ten thousand calls; until then its compilers use CPU time. */
const warmUpMs = setting('WARM_UP_MS', 8000, 1500);
const connections = setting('CONNECTIONS', 32, 32);
const products = setting('PRODUCTS', 100_000, 5000);
const baseline = 'bench/baseline.json';

interface Measured extends Slice {
  /** CPU time of the server, in microseconds. */
  cpu: number;
  /** CPU time of PostgreSQL, in microseconds. */
  databaseCpu: number;
  startedAt: number;
}

const postgres = await startPostgres();
const running: Running[] = [];
const slices = new Map<string, Measured[]>();
let cases: Case[] = [];
try {
  const world = await createWorld(postgres.url, products);
  const env = {
    ...unlimitedEnv,
    DATABASE_URL: postgres.url,
    BUSINESS_ID: world.businessId,
    CREATE_IN: world.bareShop,
  };
  const start = async (
    args: string[],
    variables: Record<string, string>,
    readyText: string,
    folder?: string,
  ) => {
    const server = await startServer(args, { ...env, ...variables }, readyText, folder);
    running.push(server);
    return server;
  };
  const bareProgram = ['--import', 'tsx', 'bench/bare-server.ts'];
  cases = [
    ...bareCases(world, await start(bareProgram, {}, 'ready'), 'bare'),
    ...(flags.short
      ? []
      : bareCases(world, await start(bareProgram, { PIPELINE: 'on' }, 'ready'), 'pipelined')),
    ...(await duetCases(world, await start(duetProgram, {}, 'Duet'), '')),
  ];
  if (flags.compare) {
    const other = await start(duetProgram, {}, 'Duet', await buildOf(flags.compare));
    cases.push(...(await duetCases(world, other, `${flags.compare}: `)));
  }
  const variants: [name: string, variables: Record<string, string>][] = [];
  if (flags.metrics) variants.push(['metrics', { METRICS_TOKEN: 'a token of the benchmark' }]);
  if (flags.with) variants.push([flags.with, Object.fromEntries([flags.with.split('=', 2)])]);
  for (const [name, variables] of variants)
    cases.push(...(await duetCases(world, await start(duetProgram, variables, 'Duet'), `${name}: `)));
  const words = flags.only?.split(',');
  if (words) {
    const selected = cases.filter(({ name, bare }) => bare && words.some((word) => name.includes(word)));
    cases = cases.filter(
      (item) => selected.includes(item) || selected.some(({ bare }) => bare === item.name),
    );
  }
  await measure();
  await reportBooks();
} finally {
  await Promise.all(running.map((server) => server.stop()));
  await postgres.stop();
}
report();

/** Correctness after the load: every number but that of the orders must be 0. */
async function reportBooks(): Promise<void> {
  const books = await readBooks(postgres.url);
  console.table(books);
  for (const { orders: _orders, ...errors } of Object.values(books))
    if (Object.values(errors).some((count) => count > 0))
      throw new Error('The books are wrong: see the table.');
}

async function measure(): Promise<void> {
  // Measured last and separately: cold reads evict all other records from the caches; writes make lists longer and trigger autovacuum
  // every minute.
  const lastGroups = [/cold|deep/, /create|checkout|mixed/];
  await measureTogether(cases.filter(({ name }) => !lastGroups.some((pattern) => pattern.test(name))));
  for (const pattern of lastGroups) await measureTogether(cases.filter(({ name }) => pattern.test(name)));
}

async function measureTogether(group: readonly Case[]): Promise<void> {
  const showProgress = (text: string) => process.stdout.isTTY && process.stdout.write(`\r${text.padEnd(60)}`);
  for (const { name, target } of group) {
    showProgress(`warming up  ${name}`);
    await load(target, connections, warmUpMs);
    slices.set(name, []);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, target, server } of shuffled(group)) {
      showProgress(`round ${round}/${rounds}  ${name}`);
      const [startedAt, before, databaseBefore] = [Date.now(), server.cpu(), postgres.cpu()];
      const slice = await load(target, connections, sliceMs);
      const [cpu, databaseCpu] = [server.cpu() - before, postgres.cpu() - databaseBefore];
      slices.get(name)?.push({ ...slice, cpu, databaseCpu, startedAt });
    }
  }
  showProgress('');
}

/** Random order, so that garbage and PostgreSQL background work of one case do not always affect the same next one. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function report(): void {
  const rate = ({ requests, seconds }: Slice) => requests / seconds;
  const sum = (measured: readonly Measured[], read: (slice: Measured) => number) =>
    measured.reduce((total, slice) => total + read(slice), 0);
  const perRequest = (measured: readonly Measured[], read: (slice: Measured) => number) =>
    sum(measured, read) / sum(measured, (slice) => slice.requests);
  const cpu = (measured: readonly Measured[]) => perRequest(measured, (slice) => slice.cpu);
  const round2 = (value: number) => Number(value.toFixed(2));
  const results = cases.map(({ name, bare, minRatio }) => {
    const measured = slices.get(name) ?? [];
    const bareMeasured = slices.get(bare ?? name) ?? [];
    const latencies = measured.flatMap((slice) => slice.latencies);
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
    return {
      case: name,
      'requests/s': Math.round(median(measured.map(rate))),
      'p50 ms': round2(p50),
      'p99 ms': round2(p99),
      'p99/p50': round2(p99 / p50),
      'CPU µs': Math.round(cpu(measured)),
      'DB µs': Math.round(perRequest(measured, (slice) => slice.databaseCpu)),
      ratio: round2(median(measured.map((slice, round) => rate(slice) / rate(bareMeasured[round] ?? slice)))),
      'CPU ratio': round2(cpu(bareMeasured) / cpu(measured)),
      'min ratio': minRatio ?? '',
      errors: sum(measured, (slice) => slice.errors),
    };
  });
  console.table(results);
  mkdirSync('bench/results', { recursive: true });
  // One slow slice of fifteen determines a case's p99; its start time shows what else happened on the machine.
  const sliceResults = Object.fromEntries(
    [...slices].map(([name, measured]) => [
      name,
      measured.map(({ startedAt, requests, latencies }) => ({
        startedAt: new Date(startedAt).toISOString(),
        requests,
        p50: round2(percentile(latencies, 0.5)),
        p99: round2(percentile(latencies, 0.99)),
      })),
    ]),
  );
  const settings = { node: process.version, rounds, sliceMs, connections, products };
  writeFileSync(
    'bench/results/latest.json',
    `${JSON.stringify({ ...settings, results, slices: sliceResults }, null, 2)}\n`,
  );
  const ratios = Object.fromEntries(
    results
      .filter((result) => result['min ratio'] !== '')
      .map((result) => [result.case, result['CPU ratio']]),
  );
  if (flags.keep) writeFileSync(baseline, `${JSON.stringify(ratios, null, 2)}\n`);
  const tooSlow =
    flags.short && !flags.keep
      ? belowBaseline(ratios)
      : results
          .filter(({ ratio, 'min ratio': minRatio }) => typeof minRatio === 'number' && ratio < minRatio)
          .map((result) => result.case);
  if (tooSlow.length > 0) console.error(`Too slow: ${tooSlow.join(', ')}`);
  process.exitCode = tooSlow.length === 0 && results.every(({ errors }) => errors === 0) ? 0 : 1;
}

/** Compares ratios of CPU time, which depend least on other load of the machine. */
function belowBaseline(ratios: Readonly<Record<string, number>>): string[] {
  if (!existsSync(baseline)) return [];
  const baselineRatios = JSON.parse(readFileSync(baseline, 'utf8')) as Record<string, number>;
  return Object.entries(baselineRatios).flatMap(([name, ratio]) =>
    (ratios[name] ?? 0) < ratio * 0.8 ? [name] : [],
  );
}
