/** `duet keys rotate`: a new signing key. */
import { parseArgs } from 'node:util';
import { rotateKeys } from '../auth/stored-keys.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { createSecrets } from '../secrets.ts';
import { type DatabaseCommand, UsageError } from './command.ts';
import { bringUpToDate } from './open-database.ts';

export const keys: DatabaseCommand = async ({ config, db, write }, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { revoke: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (positionals.join(' ') !== 'rotate') throw new UsageError('Keys can be rotated.');
  if (config.signingKey !== undefined) {
    throw new OperatorError(
      'SIGNING_KEY is set: put the new key first in it and keep the old one behind, as a JWK set.',
    );
  }
  await bringUpToDate(db);
  const kid = await rotateKeys(db, values, createSecrets(config.secretsKeys));
  write(`New tokens are signed with ${kid}. Running processes notice within a minute.\n`);
};
