/** Writes the archive that a new embedded data directory starts from: migrated and empty, with the queues of all jobs. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { createJobQueue } from '../src/adapters/jobs/queues.ts';
import { pgliteOptions } from '../src/db/embedded/open-embedded.ts';
import { EmbeddedPrismaAdapterFactory } from '../src/db/embedded/prisma-adapter.ts';
import { applyMigrations, loadMigrations } from '../src/db/migrations/migrate.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { allJobs } from '../src/maintenance/background-jobs.ts';

async function writeTemplate(path: string): Promise<void> {
  const pglite = await PGlite.create(pgliteOptions);
  await applyMigrations(new EmbeddedPrismaAdapterFactory(pglite));
  for (const job of allJobs) await createJobQueue((text, params) => pglite.query(text, params), job);
  // Nobody makes databases here: these two would be a third of its bytes and of its files.
  await pglite.exec(`UPDATE pg_database SET datistemplate = false WHERE datistemplate`);
  for (const unused of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${unused}`);
  await pglite.exec('CHECKPOINT');
  // Uncompressed: it opens a quarter of a second sooner than gzip, at ten times the size.
  const archive = await pglite.dumpDataDir('none');
  await pglite.close();
  await writeFile(path, Buffer.from(await archive.arrayBuffer()));
}

const cache = join(packageRoot, 'node_modules', '.cache', 'duet');

/** Making the archive takes seconds, so tests take the one of these migrations that the build or a run before them has made. */
export async function cachedTemplate(): Promise<string> {
  const path = cachedPath();
  return existsSync(path) ? path : freshTemplate(path);
}

function cachedPath(): string {
  const hash = createHash('sha256').update(JSON.stringify(loadMigrations())).digest('hex').slice(0, 16);
  return join(cache, `template-${hash}.tar`);
}

async function freshTemplate(path: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  await removeOldFiles(cache);
  // Under its final name only when it is complete: another run may look at any time.
  const draft = join(cache, `draft-${process.pid}-${Date.now()}.tar`);
  await writeTemplate(draft);
  await rename(draft, path);
  return path;
}

// A run that started before the migrations changed may still need the archive it began with.
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
    // The database lives for seconds: compiling it well takes longer than it saves.
    setFlagsFromString('--liftoff-only');
    await copyFile(await freshTemplate(cachedPath()), path);
  }
}
