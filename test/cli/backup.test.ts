/** Backups of the embedded database are consistent during writes, and a restore is all or nothing. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { backUpEmbeddedDb, restoreEmbeddedDb } from '../../src/db/embedded/backup-and-restore.ts';
import { openDb } from '../../src/db/open-db.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { createTempFolder } from '../support/temp-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await createTempFolder('duet-backup-');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) => openDb({ dataDir: join(folder, name), template: inject('pgliteTemplate') });

it('contains every transaction committed before the backup, completely, and none after it', async () => {
  const db = await open('busy');
  await db.script('create table pairs (n int, half int)');
  let written = 0;
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await db.transaction(async (tx) => {
        await tx.write('insert into pairs values ($1, 1)', [written]);
        await tx.write('insert into pairs values ($1, 2)', [written]);
      });
      written += 1;
      // The embedded database responds without yielding to the event loop, which the backup needs as well.
      await sleep(2);
    }
  })();
  await nextTick();
  const before = written;
  const file = join(folder, 'busy.duet');
  await backUpEmbeddedDb(db, file).finally(() => {
    writing = false;
  });
  await writer;
  expect(written).toBeGreaterThan(before);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  // A new machine: neither the folder nor its parents exist.
  const target = join(folder, 'new', 'machine', 'restored');
  expect(await restoreEmbeddedDb(file, target, false)).toBeUndefined();
  const restored = await openDb({ dataDir: target });
  const [counts] = await restored.sql<{ pairs: number; halves: number; last: number }>(
    'select count(distinct n) as pairs, count(*) as halves, max(n) as last from pairs',
  );
  expect(counts?.pairs).toBeGreaterThanOrEqual(before);
  expect(counts?.pairs).toBeLessThanOrEqual(written);
  expect(counts?.halves).toBe((counts?.pairs ?? 0) * 2);
  await expect(restoreEmbeddedDb(file, target, true, 100)).rejects.toThrow('is in use by process');
  await restored.close();

  await expect(restoreEmbeddedDb(file, target, false)).rejects.toThrow('Use --replace to rename it');
  const aside = await restoreEmbeddedDb(file, target, true);
  expect(existsSync(join(aside ?? '', 'PG_VERSION'))).toBe(true);
  await db.close();
  expect(
    (await readdir(folder, { recursive: true })).filter((name) =>
      /files|unfinished|restoring|lock/.test(name),
    ),
  ).toEqual([]);
});

it('replaces a database whose creation was interrupted', async () => {
  const db = await open('whole');
  const file = join(folder, 'whole.duet');
  await db.script('create table restored_table (n int)');
  await backUpEmbeddedDb(db, file);
  await db.close();
  const target = join(folder, 'interrupted');
  await mkdir(target);
  await writeFile(`${target}.unfinished`, '');
  await restoreEmbeddedDb(file, target, false);
  const restored = await open('interrupted');
  expect(await restored.sql('select n from restored_table')).toEqual([]);
  await restored.close();
});

it('rejects a file that is not a complete backup, and leaves the database unchanged', async () => {
  const db = await open('plain');
  const file = join(folder, 'plain.duet');
  await backUpEmbeddedDb(db, file);
  await db.close();
  const whole = await readFile(file);
  const bad = join(folder, 'bad.duet');
  const target = join(folder, 'plain');
  const versionFile = await readFile(join(target, 'PG_VERSION'));
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('no archive'),
    whole.subarray(0, whole.length / 2),
    gzipSync(Buffer.alloc(1024)),
    gzipSync(Buffer.from('x'.repeat(1024))),
    gzipSync(archiveWithPath('../evil')),
  ]) {
    await writeFile(bad, content);
    await expect(restoreEmbeddedDb(bad, target, true)).rejects.toThrow(OperatorError);
  }
  await expect(restoreEmbeddedDb(join(folder, 'missing'), target, true)).rejects.toThrow('cannot be read');
  expect(await readFile(join(target, 'PG_VERSION'))).toEqual(versionFile);
  expect(existsSync(join(folder, 'evil'))).toBe(false);
});

/** Tar archive with a path outside of the target folder. */
function archiveWithPath(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('00000000001\0', 124);
  header.write('0', 156);
  const sum = header.reduce((total, byte) => total + byte, 0) + 8 * 32;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.alloc(512 * 3)]);
}
