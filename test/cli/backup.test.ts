/** Backups of the embedded database are complete while it is written to, and never half put back. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { backUpEmbeddedDb, restoreEmbeddedDb } from '../../src/db/embedded/backup.ts';
import { openDb } from '../../src/db/open.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { dataFolder } from '../support/data-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await dataFolder('duet-backup-');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (name: string) => openDb({ dataDir: join(folder, name), template: inject('pgliteTemplate') });

it('holds every change that was confirmed before, whole, and none after', async () => {
  const db = await open('busy');
  await db.script('create table pairs (n int, half int)');
  let written = 0;
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await db.transaction(async (tx) => {
        await tx.sql('insert into pairs values ($1, 1)', [written]);
        await tx.sql('insert into pairs values ($1, 2)', [written]);
      });
      written += 1;
      // The embedded database answers without ever letting the event loop turn, and the backup has to be made, too.
      await sleep(2);
    }
  })();
  await turn();
  const before = written;
  const file = join(folder, 'busy.duet');
  await backUpEmbeddedDb(db, file).finally(() => {
    writing = false;
  });
  await writer;
  expect(written).toBeGreaterThan(before);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const place = join(folder, 'restored');
  expect(await restoreEmbeddedDb(file, place, false)).toBeUndefined();
  const restored = await openDb({ dataDir: place });
  const [found] = await restored.sql<{ pairs: number; halves: number; last: number }>(
    'select count(distinct n) as pairs, count(*) as halves, max(n) as last from pairs',
  );
  expect(found?.pairs).toBeGreaterThanOrEqual(before);
  expect(found?.pairs).toBeLessThanOrEqual(written);
  expect(found?.halves).toBe((found?.pairs ?? 0) * 2);
  await expect(restoreEmbeddedDb(file, place, true)).rejects.toThrow('is in use by process');
  await restored.close();

  await expect(restoreEmbeddedDb(file, place, false)).rejects.toThrow('With --replace it is put aside.');
  const aside = await restoreEmbeddedDb(file, place, true);
  expect(existsSync(join(aside ?? '', 'PG_VERSION'))).toBe(true);
  await db.close();
  expect((await readdir(folder)).filter((name) => /files|unfinished|restoring|lock/.test(name))).toEqual([]);
});

it('replaces nothing by a file that is no whole backup', async () => {
  const db = await open('plain');
  const file = join(folder, 'plain.duet');
  await backUpEmbeddedDb(db, file);
  await db.close();
  const whole = await readFile(file);
  const bad = join(folder, 'bad.duet');
  const place = join(folder, 'plain');
  const notes = await readFile(join(place, 'PG_VERSION'));
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('no archive'),
    whole.subarray(0, whole.length / 2),
    gzipSync(Buffer.alloc(1024)),
    gzipSync(Buffer.from('x'.repeat(1024))),
    gzipSync(evil('../evil')),
  ]) {
    await writeFile(bad, content);
    await expect(restoreEmbeddedDb(bad, place, true)).rejects.toThrow(OperatorError);
  }
  await expect(restoreEmbeddedDb(join(folder, 'missing'), place, true)).rejects.toThrow('cannot be read');
  expect(await readFile(join(place, 'PG_VERSION'))).toEqual(notes);
  expect(existsSync(join(folder, 'evil'))).toBe(false);
});

/** A file that wants to be written outside of the folder. */
function evil(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('00000000001\0', 124);
  header.write('0', 156);
  const sum = header.reduce((total, byte) => total + byte, 0) + 8 * 32;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.alloc(512 * 3)]);
}
