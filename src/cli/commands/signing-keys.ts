/** `duet keys rotate`: creates a new signing key. */
import { parseArgs } from 'node:util';
import { rotateSigningKeys } from '../../auth/signing-key-store.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createSecretCipher } from '../../secret-encryption.ts';
import { type DatabaseCommand, UsageError } from '../command-types.ts';
import { migrateDatabase } from '../open-database.ts';

export const signingKeysCommand: DatabaseCommand = async ({ config, db, write }, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { revoke: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (positionals.join(' ') !== 'rotate') throw new UsageError('The only subcommand is "rotate".');
  if (config.signingKey !== undefined) {
    throw new OperatorError(
      'SIGNING_KEY is set: make it a JWK set with the new key first and the old key after it.',
    );
  }
  await migrateDatabase(db);
  const kid = await rotateSigningKeys(db, values, createSecretCipher(config.secretsKeys));
  write(`New tokens are signed with ${kid}. Running processes use it within a minute.\n`);
};
