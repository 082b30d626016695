/** The archive of a migrated, empty database that embedded ones are made from. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTemplate } from '../../scripts/template.ts';
import { loadMigrations } from '../../src/db/migrate.ts';
import { packageRoot } from '../../src/lib/package-root.ts';

/** Making the archive takes seconds, so it is kept for as long as the migrations stay the same. */
export async function cachedTemplate(): Promise<string> {
  const cache = join(packageRoot, 'node_modules', '.cache', 'duet');
  const hash = createHash('sha256').update(JSON.stringify(loadMigrations())).digest('hex').slice(0, 16);
  const path = join(cache, `template-${hash}.tar`);
  if (existsSync(path)) return path;
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
