/** `duet secrets rotate`: encrypts all stored secrets with the first key of SECRETS_KEY. */

import { reencryptSigningKeys } from '../../auth/signing-key-store.ts';
import { loadSigningKeys } from '../../auth/signing-keys.ts';
import { encryptStoredWebhookSecrets } from '../../domains/webhooks/secret-encryption.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createSecretCipher } from '../../secret-encryption.ts';
import { createDatabaseCommand, UsageError } from '../command-types.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

function parseSecretsArgs(args: readonly string[]): void {
  const { positionals } = parseCommandArgs(args, {}, ['rotate']);
  if (positionals[0] !== 'rotate') throw new UsageError('The only subcommand is "rotate".');
}

export const secretsCommand = createDatabaseCommand(parseSecretsArgs, async ({ config, db, write }) => {
  const secrets = createSecretCipher(config.secretsKeys);
  if (!secrets.isEnabled)
    throw new OperatorError('SECRETS_KEY is not set. Set it to 32 random bytes in base64.');
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
});
