/** `duet backup FILE`: backs up the embedded database while it is in use. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUpEmbeddedDb } from '../../db/embedded/backup.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type DatabaseCommand, UsageError } from '../command-types.ts';

export const backupCommand: DatabaseCommand = async ({ db, cwd, write }, args) => {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError('Specify one file to write.');
  if (!db.embedded)
    throw new OperatorError(
      'Only the embedded database is backed up by this command. For PostgreSQL use pg_dump: see docs/backup.md.',
    );
  const file = resolve(cwd, name);
  await backUpEmbeddedDb(db, file);
  write(`Backup written to ${file}. It contains password hashes and keys: protect it like the database.\n`);
};
