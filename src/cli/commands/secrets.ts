/** `duet secrets rotate`: seals everything with the first key of SECRETS_KEY. */

import { resealSigningKeys } from '../../auth/signing-key-store.ts';
import { loadSigningKeys } from '../../auth/signing-keys.ts';
import { encryptStoredWebhookSecrets } from '../../domains/webhooks/secret-encryption.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createSecretCipher } from '../../secret-encryption.ts';
import { type DatabaseCommand, UsageError } from '../command.ts';
import { upgradeDatabase } from '../open-database.ts';

export const secretsCommand: DatabaseCommand = async ({ config, db, write }, args) => {
  if (args.join(' ') !== 'rotate') throw new UsageError('Secrets can be rotated.');
  const secrets = createSecretCipher(config.secretsKeys);
  if (!secrets.isEnabled)
    throw new OperatorError(
      'SECRETS_KEY: set it to 32 random bytes in base64, or there is nothing to seal with.',
    );
  await upgradeDatabase(db);
  const keys = await loadSigningKeys(db, undefined, secrets);
  const sealed = await resealSigningKeys(db, secrets);
  write(
    `Keys of the gateway: ${sealed} sealed anew. Tokens of identity providers are sealed with one of them.\n`,
  );
  let count = 0;
  for await (const batch of encryptStoredWebhookSecrets(db, keys.secret)) {
    count += batch;
    write(`Webhook endpoints: ${count} sealed.\n`);
  }
  write('Done. When every process runs with the new SECRETS_KEY, the old key may leave it.\n');
};
