/** Backups of the embedded database: its files in a compressed archive, taken while it is in use. */
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '../../lib/operator-errors.ts';
import type { Db } from '../handles.ts';
import { migrate } from '../migrations/migrate.ts';
import { openDb } from '../open.ts';
import { markRestoredSql } from '../restore-guard.ts';
import { lockDataDirectory } from './directory-lock.ts';
import { packTar, unpackTar } from './tar.ts';

/** Statements wait only while the files are copied beside the result, not while they are compressed. */
export async function backUpEmbeddedDb(db: Db, file: string): Promise<void> {
  const copy = `${file}.files`;
  const draft = `${file}.unfinished`;
  try {
    await db.withCheckpointedFiles((directory) =>
      cp(directory, copy, { recursive: true, mode: constants.COPYFILE_FICLONE }),
    );
    await pipeline(
      packTar(copy),
      createGzip({ level: 3 }),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    await rename(draft, file);
  } finally {
    await rm(copy, { recursive: true, force: true });
    await rm(draft, { force: true });
  }
}

/** Puts a backup in the place of the database in `directory`; the name under which that one is kept, if there was one. */
export async function restoreEmbeddedDb(
  file: string,
  directory: string,
  replace: boolean,
): Promise<string | undefined> {
  const unlock = await lockDataDirectory(directory);
  const fresh = `${directory}.restoring`;
  try {
    if (existsSync(directory) && !replace) {
      throw new OperatorError(`There is a database in ${directory} already. With --replace it is put aside.`);
    }
    await rm(fresh, { recursive: true, force: true });
    await unpackBackup(file, fresh);
    await makeReady(fresh);
    const aside = existsSync(directory) ? `${directory}.before-${Date.now()}` : undefined;
    if (aside !== undefined) await rename(directory, aside);
    await rename(fresh, directory);
    return aside;
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await unlock();
  }
}

async function unpackBackup(file: string, directory: string): Promise<void> {
  try {
    const names = await pipeline(createReadStream(file), createGunzip(), (source) =>
      unpackTar(source, directory),
    );
    if (names.includes('PG_VERSION')) return;
  } catch (error) {
    if (isFrom(error, 'ENOENT', 'EACCES', 'EISDIR'))
      throw new OperatorError(`The file ${file} cannot be read.`);
    if (!(error instanceof OperatorError) && !isFrom(error, 'Z_DATA_ERROR', 'Z_BUF_ERROR')) throw error;
  }
  throw new OperatorError(`${file} is not a backup of an embedded database, or it is damaged.`);
}

const isFrom = (error: unknown, ...codes: string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** A backup that does not open, or cannot be brought up to date, is found out before anything is replaced by it. */
async function makeReady(directory: string): Promise<void> {
  const db = await openDb({ dataDir: directory });
  try {
    await migrate(db);
    await db.script(markRestoredSql);
  } finally {
    await db.close();
  }
}
