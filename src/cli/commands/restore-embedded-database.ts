/** `duet restore FILE`: replaces the embedded database by a backup. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { restoreEmbeddedDb } from '../../db/embedded/backup-and-restore.ts';
import { explainDbOpenError } from '../../db/explain-open-error.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import type { LocalCommand } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

export const restoreCommand: LocalCommand = async (env, args) => {
  const options = { replace: { type: 'boolean', default: false } } as const;
  const { positionals, values } = parseCommandArgs(args, options, ['FILE']);
  const [name = ''] = positionals;
  const config = readConfig(env, 'database');
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      'Only the embedded database is restored by this command. For PostgreSQL use pg_restore: see docs/how-to/backup.md.',
    );
  }
  const file = resolve(name);
  // Before the wait for the data directory.
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new OperatorError(
      `The file ${file} cannot be read. Check that it exists and that this user may read it.`,
    );
  const directory = resolve(join(config.dataDir, 'db'));
  const previousFolder = await restoreEmbeddedDb(file, directory, values.replace).catch((error: unknown) => {
    throw explainRestoreError(error, config.dataDir);
  });
  process.stdout.write(
    `The backup is restored.${previousFolder === undefined ? '' : ` The previous database is in ${previousFolder}.`} Start the gateway.\n`,
  );
};

/** Nothing has been replaced when a restore fails. */
function explainRestoreError(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === '53100')
    return new OperatorError(
      `DATA_DIR: no space is left on the disk of ${dataDir} for the restored database. Free some space and try again. Nothing was replaced.`,
      { cause: error },
    );
  const isFolderError = ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR'].includes(String(code));
  return isFolderError ? explainDbOpenError(error, { url: undefined, dataDir }) : error;
}
