/** Encryption of stored webhook secrets: encrypted when SECRETS_KEY is set, plain text when written without it. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/index.ts';
import { decryptWithSecret, encryptWithSecret } from '../../lib/hash-encrypt-and-random-tokens.ts';
import { webhookSecretPrefix } from './url-signature-and-retry-rules.ts';

export type WebhookSecretEncryptionKeys = Pick<Context['keys'], 'secret' | 'encryptsStoredSecrets'>;
type Sealing = { keys: WebhookSecretEncryptionKeys };

export const encryptWebhookSecret = ({ keys }: Sealing, secret: string): string =>
  keys.encryptsStoredSecrets ? encryptWithSecret(keys.secret, secret) : secret;

export function decryptWebhookSecret({ keys }: Sealing, stored: string): string {
  const secret = stored.startsWith(webhookSecretPrefix) ? stored : decryptWithSecret(keys.secret, stored);
  if (secret === undefined)
    throw new Error('A webhook secret was encrypted with another key. Check SECRETS_KEY.');
  return secret;
}

const batchSize = 500;

/** Encrypts plain-text secrets in batches; yields the number of endpoints per batch. */
export async function* encryptStoredWebhookSecrets(db: Db, key: Uint8Array): AsyncGenerator<number> {
  const isPlain = `(secret like '${webhookSecretPrefix}%' or previous_secret like '${webhookSecretPrefix}%')`;
  const encrypted = (stored: string | null) =>
    stored?.startsWith(webhookSecretPrefix) ? encryptWithSecret(key, stored) : stored;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const rows = await tx.sql<{ id: string; secret: string; previous_secret: string | null }>(
        `select id, secret, previous_secret from webhook_endpoints where ${isPlain} order by id limit ${batchSize} for update`,
      );
      for (const row of rows)
        await tx.write('update webhook_endpoints set secret = $2, previous_secret = $3 where id = $1', [
          row.id,
          encrypted(row.secret),
          encrypted(row.previous_secret),
        ]);
      return rows.length;
    });
    if (count === 0) return;
    yield count;
  }
}
