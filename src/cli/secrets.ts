/** `duet secrets rotate`: seals everything with the first key of SECRETS_KEY. */
import { loadKeys } from '../auth/keys.ts';
import { resealKeys } from '../auth/stored-keys.ts';
import { sealWebhookSecrets } from '../domains/webhooks/sealed.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { createSecrets } from '../secrets.ts';
import { type DatabaseCommand, UsageError } from './command.ts';
import { bringUpToDate } from './open-database.ts';

export const rotateSecrets: DatabaseCommand = async ({ config, db, write }, args) => {
  if (args.join(' ') !== 'rotate') throw new UsageError('Secrets can be rotated.');
  const secrets = createSecrets(config.secretsKeys);
  if (!secrets.sealing)
    throw new OperatorError(
      'SECRETS_KEY: set it to 32 random bytes in base64, or there is nothing to seal with.',
    );
  await bringUpToDate(db);
  const keys = await loadKeys(db, undefined, secrets);
  const sealed = await resealKeys(db, secrets);
  write(
    `Keys of the gateway: ${sealed} sealed anew. Tokens of identity providers are sealed with one of them.\n`,
  );
  let count = 0;
  for await (const batch of sealWebhookSecrets(db, keys.secret)) {
    count += batch;
    write(`Webhook endpoints: ${count} sealed.\n`);
  }
  write('Done. When every process runs with the new SECRETS_KEY, the old key may leave it.\n');
};
