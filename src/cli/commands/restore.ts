/** `duet restore FILE`: replaces the embedded database by a backup. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { restoreEmbeddedDb } from '../../db/embedded/backup.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type LocalCommand, UsageError } from '../command-types.ts';

export const restoreCommand: LocalCommand = async (env, args) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    options: { replace: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError('Specify one file to read.');
  const config = readConfig(env);
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      'Only the embedded database is restored by this command. For PostgreSQL use pg_restore: see docs/backup.md.',
    );
  }
  const previousFolder = await restoreEmbeddedDb(
    resolve(name),
    resolve(join(config.dataDir, 'db')),
    values.replace,
  );
  process.stdout.write(
    `The backup is restored.${previousFolder === undefined ? '' : ` The previous database is in ${previousFolder}.`} Start the gateway.\n`,
  );
};
