/** `duet secrets rotate`: encrypts all stored secrets with the first key of SECRETS_KEY. */
import { loadGatewayKeys } from '../../auth/gateway-keys.ts';
import { reencryptStoredKeys } from '../../auth/load-rotate-and-reencrypt-stored-keys.ts';
import { encryptStoredWebhookSecrets } from '../../domains/webhooks/encrypt-webhook-secrets.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createSecretsKeyCipher } from '../../secrets-key-cipher.ts';
import { createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

function parseSecretsArgs(args: readonly string[]): { json: boolean } {
  const options = { json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseCommandArgs(args, options, ['rotate']);
  if (positionals[0] !== 'rotate') throw new UsageError('The only subcommand is "rotate".');
  return values;
}

export const secretsCommand = createDatabaseCommand(
  parseSecretsArgs,
  async ({ config, db, write }, { json }) => {
    const secrets = createSecretsKeyCipher(config.secretsKeys);
    if (!secrets.isEnabled)
      throw new OperatorError('SECRETS_KEY is not set. Set it to 32 random bytes in base64.');
    const keys = await loadGatewayKeys(db, undefined, secrets);
    const resealedKeys = await reencryptStoredKeys(db, secrets);
    if (!json)
      write(
        `Keys of the gateway: ${resealedKeys} encrypted again. They also encrypt the tokens of identity providers.\n`,
      );
    let count = 0;
    for await (const batch of encryptStoredWebhookSecrets(db, keys.secret)) {
      count += batch;
      if (!json) write(`Webhook endpoints: ${count} encrypted.\n`);
    }
    if (json) write(`${JSON.stringify({ signingKeys: resealedKeys, webhookEndpoints: count })}\n`);
    else write('Done. Remove the old key from SECRETS_KEY when every process runs with the new value.\n');
  },
);
