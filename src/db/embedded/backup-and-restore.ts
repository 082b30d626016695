/** Backup and restore of the embedded database: a compressed tar archive of its files, taken while it is in use. */
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '../../lib/operator-errors.ts';
import type { Db } from '../handles.ts';
import { migrate } from '../migrations/apply-and-list-migrations.ts';
import { openDb } from '../open-db.ts';
import { markDatabaseRestoredSql } from '../unique-versions-after-restore.ts';
import { lockDataDirectory } from './directory-lock.ts';
import { packTar, unpackTar } from './tar.ts';
import { removeUnfinishedDirectory } from './unfinished-directory-marker.ts';

/** Writes a backup to `file`. Statements wait only while the files are copied, not while they are compressed. */
export async function backUpEmbeddedDb(db: Db, file: string): Promise<void> {
  const copy = `${file}.files`;
  const unfinished = `${file}.unfinished`;
  try {
    await mkdir(copy, { mode: 0o700 });
    await db.withCheckpointedFiles((directory) =>
      cp(directory, copy, { recursive: true, mode: constants.COPYFILE_FICLONE }),
    );
    await pipeline(
      packTar(copy),
      createGzip({ level: 3 }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    );
    await rename(unfinished, file);
  } finally {
    await rm(copy, { recursive: true, force: true });
    await rm(unfinished, { force: true });
  }
}

/** Replaces the database in `directory` by a backup. Returns the path to which the previous database was renamed, if there was one. */
export async function restoreEmbeddedDb(
  file: string,
  directory: string,
  replace: boolean,
  lockWaitMs?: number,
): Promise<string | undefined> {
  const unlock = await lockDataDirectory(directory, lockWaitMs);
  const restored = `${directory}.restoring`;
  try {
    // Otherwise the marker of an interrupted creation would make the next start delete the restored database.
    await removeUnfinishedDirectory(directory);
    if (existsSync(directory) && !replace) {
      throw new OperatorError(
        `${directory} already contains a database. Use --replace to rename it and restore the backup in its place.`,
      );
    }
    await rm(restored, { recursive: true, force: true });
    await unpackBackup(file, restored);
    await verifyAndMigrate(restored);
    const previous = existsSync(directory) ? `${directory}.before-${Date.now()}` : undefined;
    if (previous !== undefined) await rename(directory, previous);
    await rename(restored, directory);
    return previous;
  } finally {
    await rm(restored, { recursive: true, force: true });
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
    if (hasCode(error, 'ENOENT', 'EACCES', 'EISDIR'))
      throw new OperatorError(
        `The file ${file} cannot be read. Check that it exists and that this user may read it.`,
      );
    if (!(error instanceof OperatorError) && !hasCode(error, 'Z_DATA_ERROR', 'Z_BUF_ERROR')) throw error;
  }
  throw new OperatorError(`${file} is not a backup of an embedded database, or is damaged.`);
}

const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Opens and migrates the unpacked backup, so that an unusable one fails before anything is replaced. */
async function verifyAndMigrate(directory: string): Promise<void> {
  const db = await openDb({ dataDir: directory });
  try {
    await migrate(db);
    await db.script(markDatabaseRestoredSql);
  } finally {
    await db.close();
  }
}
