/** `duet backup FILE`: the embedded database, while it is in use. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUpEmbeddedDb } from '../../db/embedded/backup.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type DatabaseCommand, UsageError } from '../command.ts';

export const backupCommand: DatabaseCommand = async ({ db, cwd, write }, args) => {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError('Name one file to write.');
  if (!db.embedded)
    throw new OperatorError('PostgreSQL has backups of its own: see pg_dump in docs/backup.md.');
  const file = resolve(cwd, name);
  await backUpEmbeddedDb(db, file);
  write(
    `The database is in ${file}. It holds passwords' hashes and keys: keep it as safe as the database.\n`,
  );
};
