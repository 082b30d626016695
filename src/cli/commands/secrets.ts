/** `duet secrets rotate`: encrypts all stored secrets with the first key of SECRETS_KEY. */

import { reencryptSigningKeys } from '../../auth/signing-key-store.ts';
import { loadSigningKeys } from '../../auth/signing-keys.ts';
import { encryptStoredWebhookSecrets } from '../../domains/webhooks/secret-encryption.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createSecretCipher } from '../../secret-encryption.ts';
import { type DatabaseCommand, UsageError } from '../command-types.ts';
import { migrateDatabase } from '../open-database.ts';

export const secretsCommand: DatabaseCommand = async ({ config, db, write }, args) => {
  if (args.join(' ') !== 'rotate') throw new UsageError('The only subcommand is "rotate".');
  const secrets = createSecretCipher(config.secretsKeys);
  if (!secrets.isEnabled)
    throw new OperatorError('SECRETS_KEY is not set. Set it to 32 random bytes in base64.');
  await migrateDatabase(db);
  const keys = await loadSigningKeys(db, undefined, secrets);
  const resealedKeys = await reencryptSigningKeys(db, secrets);
  write(
    `Keys of the gateway: ${resealedKeys} encrypted again. They also encrypt the tokens of identity providers.\n`,
  );
  let count = 0;
  for await (const batch of encryptStoredWebhookSecrets(db, keys.secret)) {
    count += batch;
    write(`Webhook endpoints: ${count} encrypted.\n`);
  }
  write('Done. Remove the old key from SECRETS_KEY when every process runs with the new value.\n');
};
