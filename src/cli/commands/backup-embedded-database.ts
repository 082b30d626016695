/** `duet backup FILE`: backs up the embedded database while it is in use. */
import { resolve } from 'node:path';
import { backUpEmbeddedDb } from '../../db/embedded/backup-and-restore.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createDatabaseCommand } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

const parseBackupArgs = (args: readonly string[]) =>
  parseCommandArgs(args, { json: { type: 'boolean', default: false } }, ['FILE']);

export const backupCommand = createDatabaseCommand(
  parseBackupArgs,
  async ({ db, cwd, write }, { values, positionals: [name = ''] }) => {
    if (!db.embedded)
      throw new OperatorError(
        'Only the embedded database is backed up by this command. For PostgreSQL use pg_dump: see docs/how-to/backup.md.',
      );
    const file = resolve(cwd, name);
    await backUpEmbeddedDb(db, file).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) throw error;
      throw new OperatorError(
        `${file} cannot be written (${error.message}). Name a file in an existing folder.`,
      );
    });
    write(
      values.json
        ? `${JSON.stringify({ file })}\n`
        : `Backup written to ${file}. It contains password hashes and keys: protect it like the database.\n`,
    );
  },
);
