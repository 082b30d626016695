/**
 * `npm run bench`: short, interleaved slices of every case; each result is a ratio to the bare server in the same round.
 * `--short` takes under two minutes and fails when a ratio has fallen by a fifth below `baseline.json`; `--keep` writes that file.
 * `--compare <git ref>` measures another build beside this one, `--metrics` this one with metrics on, `--with <NAME=value>` with a variable set.
 * `--only <words>` leaves out cases without one of them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bareCases, type Case, duetCases } from './cases.ts';
import { buildOf } from './compare.ts';
import { load, median, percentile, type Slice } from './load.ts';
import { duetProgram, type Running, startPostgres, startServer } from './servers.ts';
import { createWorld, unlimited } from './world.ts';

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
const setting = (name: string, usual: number, short: number) =>
  Number(process.env[`BENCH_${name}`] ?? (flags.short ? short : usual));
const rounds = setting('ROUNDS', 15, 7);
const sliceMs = setting('SLICE_MS', 800, 250);
/** Compilers of hot code are done after some ten thousand calls: until then they take a part of the processor. */
const warmUpMs = setting('WARM_UP_MS', 8000, 1500);
const connections = setting('CONNECTIONS', 32, 32);
const products = setting('PRODUCTS', 100_000, 5000);
const baseline = 'bench/baseline.json';

interface Measured extends Slice {
  /** Microseconds of processor time that the server took. */
  cpu: number;
  startedAt: number;
}

const postgres = await startPostgres();
const running: Running[] = [];
const slices = new Map<string, Measured[]>();
let cases: Case[] = [];
try {
  const world = await createWorld(postgres.url, products);
  const env = {
    ...unlimited,
    DATABASE_URL: postgres.url,
    BUSINESS_ID: world.businessId,
    CREATE_IN: world.bareShop,
  };
  const start = async (args: string[], more: Record<string, string>, sign: string, folder?: string) => {
    const server = await startServer(args, { ...env, ...more }, sign, folder);
    running.push(server);
    return server;
  };
  const bareProgram = ['--import', 'tsx', 'bench/bare.ts'];
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
  const beside: [name: string, more: Record<string, string>][] = [];
  if (flags.metrics) beside.push(['metrics', { METRICS_TOKEN: 'a token of the benchmark' }]);
  if (flags.with) beside.push([flags.with, Object.fromEntries([flags.with.split('=', 2)])]);
  for (const [name, more] of beside)
    cases.push(...(await duetCases(world, await start(duetProgram, more, 'Duet'), `${name}: `)));
  const words = flags.only?.split(',');
  if (words) {
    const chosen = cases.filter(({ name, bare }) => bare && words.some((word) => name.includes(word)));
    cases = cases.filter((one) => chosen.includes(one) || chosen.some(({ bare }) => bare === one.name));
  }
  await measure();
} finally {
  await Promise.all(running.map((server) => server.stop()));
  await postgres.stop();
}
report();

async function measure(): Promise<void> {
  // Cold reads push everything else out of memory; writes make lists longer and call PostgreSQL's vacuum every minute: they come last, by themselves.
  const after = [/cold/, /create|checkout/];
  await measureTogether(cases.filter(({ name }) => !after.some((words) => words.test(name))));
  for (const words of after) await measureTogether(cases.filter(({ name }) => words.test(name)));
}

async function measureTogether(some: readonly Case[]): Promise<void> {
  const say = (text: string) => process.stdout.isTTY && process.stdout.write(`\r${text.padEnd(60)}`);
  for (const { name, target } of some) {
    say(`warming up  ${name}`);
    await load(target, connections, warmUpMs);
    slices.set(name, []);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, target, server } of shuffled(some)) {
      say(`round ${round}/${rounds}  ${name}`);
      const [startedAt, before] = [Date.now(), server.cpu()];
      const slice = await load(target, connections, sliceMs);
      slices.get(name)?.push({ ...slice, cpu: server.cpu() - before, startedAt });
    }
  }
  say('');
}

/** What a case leaves behind, for the garbage collector or for PostgreSQL, should not always meet the same next one. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function report(): void {
  const rate = ({ requests, seconds }: Slice) => requests / seconds;
  const sum = (of: readonly Measured[], read: (slice: Measured) => number) =>
    of.reduce((all, slice) => all + read(slice), 0);
  const cpu = (of: readonly Measured[]) => sum(of, (slice) => slice.cpu) / sum(of, (slice) => slice.requests);
  const short = (value: number) => Number(value.toFixed(2));
  const results = cases.map(({ name, bare, bar }) => {
    const own = slices.get(name) ?? [];
    const limit = slices.get(bare ?? name) ?? [];
    const latencies = own.flatMap((slice) => slice.latencies);
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
    return {
      case: name,
      'requests/s': Math.round(median(own.map(rate))),
      'p50 ms': short(p50),
      'p99 ms': short(p99),
      'p99/p50': short(p99 / p50),
      'CPU µs': Math.round(cpu(own)),
      ratio: short(median(own.map((slice, round) => rate(slice) / rate(limit[round] ?? slice)))),
      'CPU ratio': short(cpu(limit) / cpu(own)),
      bar: bar ?? '',
      errors: sum(own, (slice) => slice.errors),
    };
  });
  console.table(results);
  mkdirSync('bench/results', { recursive: true });
  /** One slow slice of fifteen makes a case's p99: when it was tells what happened beside it. */
  const single = Object.fromEntries(
    [...slices].map(([name, own]) => [
      name,
      own.map(({ startedAt, requests, latencies }) => ({
        startedAt: new Date(startedAt).toISOString(),
        requests,
        p50: short(percentile(latencies, 0.5)),
        p99: short(percentile(latencies, 0.99)),
      })),
    ]),
  );
  const settings = { node: process.version, rounds, sliceMs, connections, products };
  writeFileSync(
    'bench/results/latest.json',
    `${JSON.stringify({ ...settings, results, slices: single }, null, 2)}\n`,
  );
  const ratios = Object.fromEntries(
    results.filter(({ bar }) => bar !== '').map((result) => [result.case, result['CPU ratio']]),
  );
  if (flags.keep) writeFileSync(baseline, `${JSON.stringify(ratios, null, 2)}\n`);
  const fallen =
    flags.short && !flags.keep
      ? fallenBelow(ratios)
      : results
          .filter(({ ratio, bar }) => typeof bar === 'number' && ratio < bar)
          .map((result) => result.case);
  if (fallen.length > 0) console.error(`Too slow: ${fallen.join(', ')}`);
  process.exitCode = fallen.length === 0 && results.every(({ errors }) => errors === 0) ? 0 : 1;
}

/** Processor time is what a busy machine blurs least. */
function fallenBelow(ratios: Readonly<Record<string, number>>): string[] {
  if (!existsSync(baseline)) return [];
  const before = JSON.parse(readFileSync(baseline, 'utf8')) as Record<string, number>;
  return Object.entries(before).flatMap(([name, ratio]) => ((ratios[name] ?? 0) < ratio * 0.8 ? [name] : []));
}
