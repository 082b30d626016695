/**
 * `npm run bench:profile -- <words>`: functions and files with the most CPU time of the cases whose name contains one of the
 * comma-separated words. Profiles are stored as bench/results/<case>.cpuprofile, which browsers and editors open.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duetCases } from './cases.ts';
import { forEachStack, type Profile, profiledProgram, recordProfile } from './cpu-profile.ts';
import { load } from './load.ts';
import { startPostgres, startServer } from './servers.ts';
import { createWorld, unlimitedEnv } from './world.ts';

const words = (process.argv[2] ?? 'REST checkout,REST cold get').split(',');
const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 8000);
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 8000);
const products = Number(process.env.BENCH_PRODUCTS ?? 20_000);
const rows = Number(process.env.BENCH_ROWS ?? 45);
const connections = 32;

type Frame = Profile['nodes'][number]['callFrame'];

const fileOf = ({ url }: Frame) =>
  url.replace(/^.*\/(node_modules|dist\/src)\//, (_all, folder: string) =>
    folder === 'node_modules' ? 'npm:' : '',
  ) || '(native)';
const nameOf = (frame: Frame) =>
  `${frame.functionName || '(anonymous)'} ${fileOf(frame)}:${frame.lineNumber + 1}`;

/** Own and total microseconds per request of each function and of each file. A function that calls itself counts once per sample. */
function printProfile(profile: Profile, microsecondsPerRequest: number): void {
  const [own, total, ownOfFile] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  let samples = 0;
  forEachStack(profile, (stack) => {
    samples += 1;
    const [top] = stack;
    if (!top) return;
    add(own, nameOf(top.callFrame));
    // A function without a file, such as a built-in, counts for the file of its caller.
    add(ownOfFile, fileOf((stack.find(({ callFrame }) => callFrame.url) ?? top).callFrame));
    for (const name of new Set(stack.map(({ callFrame }) => nameOf(callFrame)))) add(total, name);
  });
  const print = (title: string, counts: Map<string, number>) => {
    console.log(`\n${title}, µs per request`);
    for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a).slice(0, rows))
      console.log(`${((count / samples) * microsecondsPerRequest).toFixed(1).padStart(8)}  ${name}`);
  };
  print('Own time by function', own);
  print('Own time by file', ownOfFile);
  print('Time with callees', total);
}

const folder = await mkdtemp(join(tmpdir(), 'duet-profile-'));
const file = join(folder, 'profile.json');
const postgres = await startPostgres();
try {
  const world = await createWorld(postgres.url, products);
  const env = { ...unlimitedEnv, DATABASE_URL: postgres.url, PROFILE: file };
  const server = await startServer(profiledProgram, env, 'Duet');
  try {
    for (const { name, target } of await duetCases(world, server, '')) {
      if (!words.some((word) => name.includes(word))) continue;
      await load(target, connections, warmUpMs);
      const [cpu, databaseCpu] = [server.cpu(), postgres.cpu()];
      const { requests, errors } = await load(target, connections, sliceMs);
      const perRequest = (server.cpu() - cpu) / requests;
      const perRequestOfDatabase = (postgres.cpu() - databaseCpu) / requests;
      const profile = await recordProfile(server, file, () => load(target, connections, sliceMs));
      console.log(
        `\n${name}: ${Math.round(perRequest)} µs CPU, ${Math.round(perRequestOfDatabase)} µs in PostgreSQL, ${errors} errors`,
      );
      mkdirSync('bench/results', { recursive: true });
      writeFileSync(`bench/results/${name.replaceAll(' ', '-')}.cpuprofile`, JSON.stringify(profile));
      printProfile(profile, perRequest);
    }
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
