/** Webhook secrets as they are stored: sealed where SECRETS_KEY is set, plain where they were written before it was. */

import type { Context } from '../../context.ts';
import type { Db } from '../../db/handles.ts';
import { seal, unseal } from '../../lib/crypto.ts';
import { webhookSecretPrefix } from './rules.ts';

export type WebhookSecretKeys = Pick<Context['keys'], 'secret' | 'sealing'>;
type Sealing = { keys: WebhookSecretKeys };

export const encryptWebhookSecret = ({ keys }: Sealing, secret: string): string =>
  keys.sealing ? seal(keys.secret, secret) : secret;

export function decryptWebhookSecret({ keys }: Sealing, stored: string): string {
  const secret = stored.startsWith(webhookSecretPrefix) ? stored : unseal(keys.secret, stored);
  if (secret === undefined) throw new Error('A webhook secret was sealed with another key.');
  return secret;
}

const batchSize = 500;

/** Seals what is still plain, a batch at a time; says how many endpoints each had. */
export async function* encryptStoredWebhookSecrets(db: Db, key: Uint8Array): AsyncGenerator<number> {
  const isPlain = `(secret like '${webhookSecretPrefix}%' or previous_secret like '${webhookSecretPrefix}%')`;
  const sealed = (stored: string | null) =>
    stored?.startsWith(webhookSecretPrefix) ? seal(key, stored) : stored;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const rows = await tx.sql<{ id: string; secret: string; previous_secret: string | null }>(
        `select id, secret, previous_secret from webhook_endpoints where ${isPlain} order by id limit ${batchSize} for update`,
      );
      for (const row of rows)
        await tx.sql('update webhook_endpoints set secret = $2, previous_secret = $3 where id = $1', [
          row.id,
          sealed(row.secret),
          sealed(row.previous_secret),
        ]);
      return rows.length;
    });
    if (count === 0) return;
    yield count;
  }
}
