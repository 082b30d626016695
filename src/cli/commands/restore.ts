/** `duet restore FILE`: a backup in the place of the embedded database. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { restoreEmbeddedDb } from '../../db/embedded/backup.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type LocalCommand, UsageError } from '../command.ts';

export const restoreCommand: LocalCommand = async (env, args) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    options: { replace: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError('Name one file to read.');
  const config = readConfig(env);
  if (config.databaseUrl !== undefined) {
    throw new OperatorError('PostgreSQL has a way of its own: see pg_restore in docs/backup.md.');
  }
  const aside = await restoreEmbeddedDb(resolve(name), resolve(join(config.dataDir, 'db')), values.replace);
  process.stdout.write(
    `The backup is in place.${aside === undefined ? '' : ` What was there before is in ${aside}.`} Start the gateway.\n`,
  );
};
