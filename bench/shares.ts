/**
 * `npm run bench:shares`: share of the gateway's CPU time that metrics and usage counts take, from a CPU profile of each case. A
 * comparison of request rates would not show it: they vary between rounds by more than these shares.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { duetCases } from './cases.ts';
import { httpRequest, load, openConnection, type Target } from './load.ts';
import { type Running, startPostgres, startServer } from './servers.ts';
import { createWorld, unlimitedEnv } from './world.ts';

const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 4000);
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 3000);
const connections = 32;

/** Parts by the files of their functions, with the maximum share of CPU time. */
const parts = [
  { name: 'metrics', files: /\/adapters\/metrics\/|\/prom-client\//, maxShare: 0.03 },
  { name: 'usage', files: /\/domains\/usage\/|\/graphql\/execute\/schema-usage\.js/, maxShare: 0.02 },
];

/** Module that is imported before the gateway: SIGUSR2 starts a CPU profile, the next one writes it to the file `PROFILE`. */
const profiler = `data:text/javascript,${encodeURIComponent(`
import { Session } from 'node:inspector/promises';
import { renameSync, writeFileSync } from 'node:fs';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
let isOn = false;
process.on('SIGUSR2', async () => {
  isOn = !isOn;
  if (isOn) return session.post('Profiler.start');
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(process.env.PROFILE + '.draft', JSON.stringify(profile));
  renameSync(process.env.PROFILE + '.draft', process.env.PROFILE);
});`)}`;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Share of samples per part. A function without a file, such as a built-in, counts for the file of its caller. */
function sharesOf({ nodes, samples }: Profile): number[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const fileOf = new Map<number, string>();
  // Callers precede their callees in `nodes`.
  for (const { id, callFrame, children = [] } of nodes) {
    fileOf.set(id, callFrame.url || (fileOf.get(id) ?? ''));
    for (const child of children) fileOf.set(child, fileOf.get(id) ?? '');
  }
  const partSamples = parts.map(() => 0);
  let total = 0;
  // Samples are counted without their duration, which includes time in which the process was not scheduled.
  for (const id of samples) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    total += 1;
    for (const [index, { files }] of parts.entries())
      if (files.test(fileOf.get(id) ?? '')) partSamples[index] = (partSamples[index] ?? 0) + 1;
  }
  return partSamples.map((count) => count / total);
}

const folder = await mkdtemp(join(tmpdir(), 'duet-shares-'));
const file = join(folder, 'profile.json');
const token = 'a token of the benchmark';
const scrape = httpRequest('GET', '/metrics', { authorization: `Bearer ${token}` });

async function recordProfile(server: Running, target: Target): Promise<Profile> {
  server.signal('SIGUSR2');
  // One scrape of the metrics per profile; Prometheus scrapes every 15 seconds.
  const connection = await openConnection(server.port);
  await Promise.all([load(target, connections, sliceMs), connection.send(scrape)]);
  connection.close();
  server.signal('SIGUSR2');
  while (!existsSync(file)) await sleep(100);
  const profile = JSON.parse(await readFile(file, 'utf8')) as Profile;
  await rm(file);
  return profile;
}

const postgres = await startPostgres();
const table: Record<string, string>[] = [];
const exceeded: string[] = [];
try {
  const world = await createWorld(postgres.url, 5000);
  const env = { ...unlimitedEnv, DATABASE_URL: postgres.url, METRICS_TOKEN: token, PROFILE: file };
  // The compiled files instead of the bundle, so that each function has the file of its module.
  const program = ['--import', profiler, '--max-semi-space-size=64', 'dist/src/main.js'];
  const server = await startServer(program, env, 'Duet');
  try {
    for (const { name, target } of await duetCases(world, server, '')) {
      await load(target, connections, warmUpMs);
      const shares = sharesOf(await recordProfile(server, target));
      table.push({
        case: name,
        ...Object.fromEntries(parts.map((part, index) => [part.name, percent(shares[index] ?? 0)])),
      });
      for (const [index, part] of parts.entries())
        if ((shares[index] ?? 0) > part.maxShare)
          exceeded.push(`${part.name} takes more than ${percent(part.maxShare)} of ${name}`);
    }
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
console.table(table);
for (const message of exceeded) console.log(message);
process.exitCode = exceeded.length > 0 ? 1 : 0;
