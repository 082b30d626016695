/** Writes the archive that a new embedded data directory is unpacked from: a migrated, empty database with the queues of all jobs. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { createJobQueue } from '../src/adapters/jobs/create-queues.ts';
import { pgliteOptions } from '../src/db/embedded/open-embedded.ts';
import { EmbeddedPrismaAdapterFactory } from '../src/db/embedded/prisma-adapter.ts';
import { applyMigrations, loadMigrations } from '../src/db/migrations/apply-and-list-migrations.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { allJobs } from '../src/maintenance/all-jobs.ts';

async function writeTemplate(path: string): Promise<void> {
  const pglite = await PGlite.create(pgliteOptions);
  await applyMigrations(new EmbeddedPrismaAdapterFactory(pglite));
  const queries = {
    sql: async <Row>(text: string, params: readonly unknown[] = []) =>
      (await pglite.query<Row>(text, [...params])).rows,
  };
  for (const job of allJobs) await createJobQueue(queries, job);
  // The template databases are only needed by CREATE DATABASE, and would be a third of the bytes and files.
  await pglite.exec(`UPDATE pg_database SET datistemplate = false WHERE datistemplate`);
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
  await pglite.exec('CHECKPOINT');
  // Uncompressed: opens 250 ms faster than gzip, at ten times the size.
  const archive = await pglite.dumpDataDir('none');
  await pglite.close();
  await writeFile(path, Buffer.from(await archive.arrayBuffer()));
}

const cacheFolder = join(packageRoot, 'node_modules', '.cache', 'duet');

/** Archive of the current migrations for tests, from the build or an earlier test run if possible: creating it takes seconds. */
export async function cachedTemplate(): Promise<string> {
  const path = cachedPath();
  return existsSync(path) ? path : createTemplate(path);
}

function cachedPath(): string {
  const hash = createHash('sha256').update(JSON.stringify(loadMigrations())).digest('hex').slice(0, 16);
  return join(cacheFolder, `template-${hash}.tar`);
}

async function createTemplate(path: string): Promise<string> {
  await mkdir(cacheFolder, { recursive: true });
  await removeOldFiles(cacheFolder);
  // Renamed only when it is complete: another run may look for the file at any time.
  const draft = join(cacheFolder, `draft-${process.pid}-${Date.now()}.tar`);
  await writeTemplate(draft);
  await rename(draft, path);
  return path;
}

// Old archives are deleted after a day, not at once: a run that started before the migrations changed may still read one.
const dayMs = 24 * 60 * 60 * 1000;

async function removeOldFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const [path] = process.argv.slice(2);
  if (path === undefined) {
    console.error('Usage: tsx scripts/database-template.ts <out.tar>');
    process.exitCode = 2;
  } else {
    // The embedded database lives for seconds: optimising its WebAssembly takes longer than it saves.
    setFlagsFromString('--liftoff-only');
    await mkdir(dirname(path), { recursive: true });
    await copyFile(await createTemplate(cachedPath()), path);
  }
}
