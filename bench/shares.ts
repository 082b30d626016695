/**
 * `npm run bench:shares`: share of the gateway's CPU time that metrics and usage counts take, from a CPU profile of each case. A
 * comparison of request rates would not show it: they vary between rounds by more than these shares.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duetCases } from './cases.ts';
import { forEachStack, type Profile, profiledProgram, recordProfile } from './cpu-profile.ts';
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

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Share of samples per part. A function without a file, such as a built-in, counts for the file of its caller. */
function sharesOf(profile: Profile): number[] {
  const partSamples = parts.map(() => 0);
  let total = 0;
  forEachStack(profile, (stack) => {
    total += 1;
    const file = stack.find(({ callFrame }) => callFrame.url)?.callFrame.url ?? '';
    for (const [index, { files }] of parts.entries())
      if (files.test(file)) partSamples[index] = (partSamples[index] ?? 0) + 1;
  });
  return partSamples.map((count) => count / total);
}

const folder = await mkdtemp(join(tmpdir(), 'duet-shares-'));
const file = join(folder, 'profile.json');
const token = 'a token of the benchmark';
const scrape = httpRequest('GET', '/metrics', { authorization: `Bearer ${token}` });

/** Load with one scrape of the metrics; Prometheus scrapes every 15 seconds. */
async function loadAndScrape(server: Running, target: Target): Promise<void> {
  const connection = await openConnection(server.port);
  await Promise.all([load(target, connections, sliceMs), connection.send(scrape)]);
  connection.close();
}

const postgres = await startPostgres();
const table: Record<string, string>[] = [];
const exceeded: string[] = [];
try {
  const world = await createWorld(postgres.url, 5000);
  const env = { ...unlimitedEnv, DATABASE_URL: postgres.url, METRICS_TOKEN: token, PROFILE: file };
  const server = await startServer(profiledProgram, env, 'Duet');
  try {
    for (const { name, target } of await duetCases(world, server, '')) {
      await load(target, connections, warmUpMs);
      const profile = await recordProfile(server, file, () => loadAndScrape(server, target));
      const shares = sharesOf(profile);
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
