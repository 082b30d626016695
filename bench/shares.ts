/**
 * `npm run bench:shares`: what part of the gateway's processor time goes into metrics and into counting who uses what, by its own
 * profile of each case. Rounds of requests differ by more than what is looked for; shares of one profile do not.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { duetCases } from './cases.ts';
import { httpRequest, load, openLine, type Target } from './load.ts';
import { type Running, startPostgres, startServer } from './servers.ts';
import { createWorld, unlimited } from './world.ts';

const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 4000);
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 3000);
const connections = 32;

/** By the files that their functions are in, with the most they may take. */
const parts = [
  { name: 'metrics', files: /\/adapters\/metrics\/|\/prom-client\//, most: 0.03 },
  { name: 'usage', files: /\/domains\/usage\/|\/graphql\/uses\.js/, most: 0.02 },
];

/** Loaded before the gateway: each signal begins a profile, or writes down the one that was begun. */
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

/** What ran outside of any file, such as a built-in, counts for the file that called it. */
function sharesOf({ nodes, samples }: Profile): number[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const fileOf = new Map<number, string>();
  // Callers come before what they call.
  for (const { id, callFrame, children = [] } of nodes) {
    fileOf.set(id, callFrame.url || (fileOf.get(id) ?? ''));
    for (const child of children) fileOf.set(child, fileOf.get(id) ?? '');
  }
  const spent = parts.map(() => 0);
  let all = 0;
  // Each counts once, however long the machine had the gateway wait for its turn then.
  for (const id of samples) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    all += 1;
    for (const [at, { files }] of parts.entries())
      if (files.test(fileOf.get(id) ?? '')) spent[at] = (spent[at] ?? 0) + 1;
  }
  return spent.map((part) => part / all);
}

const folder = await mkdtemp(join(tmpdir(), 'duet-shares-'));
const file = join(folder, 'profile.json');
const token = 'a token of the benchmark';
const scrape = httpRequest('GET', '/metrics', { authorization: `Bearer ${token}` });

async function profiled(server: Running, target: Target): Promise<Profile> {
  server.signal('SIGUSR2');
  // Somebody asks for the metrics once, as others do every fifteen seconds.
  const line = await openLine(server.port);
  await Promise.all([load(target, connections, sliceMs), line.ask(scrape)]);
  line.close();
  server.signal('SIGUSR2');
  while (!existsSync(file)) await sleep(100);
  const profile = JSON.parse(await readFile(file, 'utf8')) as Profile;
  await rm(file);
  return profile;
}

const postgres = await startPostgres();
const table: Record<string, string>[] = [];
const over: string[] = [];
try {
  const world = await createWorld(postgres.url, 5000);
  const env = { ...unlimited, DATABASE_URL: postgres.url, METRICS_TOKEN: token, PROFILE: file };
  // In files of their own, as they were compiled: that tells whose a function is.
  const program = ['--import', profiler, '--max-semi-space-size=64', 'dist/src/main.js'];
  const server = await startServer(program, env, 'Duet');
  try {
    for (const { name, target } of await duetCases(world, server, '')) {
      await load(target, connections, warmUpMs);
      const shares = sharesOf(await profiled(server, target));
      table.push({
        case: name,
        ...Object.fromEntries(parts.map((part, at) => [part.name, percent(shares[at] ?? 0)])),
      });
      for (const [at, part] of parts.entries())
        if ((shares[at] ?? 0) > part.most)
          over.push(`${part.name} takes more than ${percent(part.most)} of ${name}`);
    }
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
console.table(table);
for (const line of over) console.log(line);
process.exitCode = over.length > 0 ? 1 : 0;
