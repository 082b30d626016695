/** Signing keys and gateway secret in the table `signing_keys`. The private parts are encrypted when SECRETS_KEY is set. */
import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Db, QueryHandle } from '../db/handles.ts';
import { now } from '../lib/time.ts';
import { createSecretsKeyCipher, type SecretsKeyCipher } from '../secrets-key-cipher.ts';

export interface StoredSigningKey {
  jwk: JWK;
  retiredAt: number | null;
}

/** Key id of the gateway secret. It is stored separately from the signing keys, so that a key rotation does not invalidate cursors, codes and links in mails. */
const secretKid = 'internal-proofs';

/** Payload on the channel `duet_revoked` after a change of the signing keys. Not the id of a session. */
export const signingKeysNotification = 'signing_keys';

export async function loadOrCreateGatewaySecret(db: Db, secrets: SecretsKeyCipher): Promise<Uint8Array> {
  const jwk = { kty: 'oct', k: randomBytes(32).toString('base64url') };
  await db.write(
    'insert into signing_keys (kid, jwk, created_at) values ($1, $2::jsonb, $3) on conflict do nothing',
    [secretKid, JSON.stringify(encryptJwk(secrets, jwk)), now()],
  );
  const [row] = await db.sql<{ jwk: JWK }>('select jwk from signing_keys where kid = $1', [secretKid]);
  return new Uint8Array(Buffer.from(decryptJwk(secrets, row?.jwk ?? {}).k ?? '', 'base64url'));
}

/** Creates a signing key if there is none. Of several processes that start at once, one inserts its key and all use it. */
export async function ensureSigningKey(db: Db, secrets: SecretsKeyCipher): Promise<void> {
  const activeKeys = `select 1 from signing_keys where kid <> '${secretKid}' and retired_at is null`;
  const [existingKey] = await db.sql(`${activeKeys} limit 1`);
  if (!existingKey) await insertKey(db, secrets, `where not exists (${activeKeys})`);
}

async function insertKey(
  queries: QueryHandle,
  secrets: SecretsKeyCipher,
  condition: string,
): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  await queries.write(
    `insert into signing_keys (kid, jwk, created_at) select $1, $2::jsonb, $3 ${condition}`,
    [kid, JSON.stringify(encryptJwk(secrets, jwk)), now()],
  );
  return kid;
}

/** The active signing key first, then the retired ones, newest first. */
export async function loadStoredSigningKeys(db: Db, secrets: SecretsKeyCipher): Promise<StoredSigningKey[]> {
  const rows = await db.sql<{ kid: string; jwk: JWK; retired_at: number | null }>(
    `select kid, jwk, retired_at from signing_keys where kid <> $1
     order by retired_at is not null, created_at desc, kid`,
    [secretKid],
  );
  return rows.map(({ kid, jwk, retired_at }) => ({
    jwk: { ...decryptJwk(secrets, jwk), kid },
    retiredAt: retired_at,
  }));
}

/**
 * Creates a new signing key and retires the others. With `revoke` the others are deleted, for a leaked key: every token they signed
 * is rejected. Running processes are notified, and reload their keys at once. Throws if stored keys are encrypted with a key that is not
 * configured: the new key would be stored in plain text, or with a key that running processes do not have.
 */
export function rotateSigningKeys(
  db: Db,
  { revoke }: { revoke: boolean },
  secrets: SecretsKeyCipher = createSecretsKeyCipher([]),
): Promise<string> {
  return db.transaction(async (tx) => {
    const stored = await tx.sql<{ jwk: JWK }>('select jwk from signing_keys for update');
    for (const { jwk } of stored) decryptJwk(secrets, jwk);
    await tx.sql(`select pg_notify('duet_revoked', $1)`, [signingKeysNotification]);
    if (revoke) await tx.write('delete from signing_keys where kid <> $1', [secretKid]);
    else
      await tx.write('update signing_keys set retired_at = $2 where kid <> $1 and retired_at is null', [
        secretKid,
        now(),
      ]);
    return insertKey(tx, secrets, '');
  });
}

/** Encrypts every stored key with the first key of SECRETS_KEY and returns the number of changed keys. */
export function reencryptStoredKeys(db: Db, secrets: SecretsKeyCipher): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.sql<{ kid: string; jwk: JWK }>('select kid, jwk from signing_keys for update');
    const outdated = rows.filter(({ jwk }) => !secrets.usesCurrentKey(jwk.d ?? jwk.k ?? ''));
    for (const { kid, jwk } of outdated)
      await tx.write('update signing_keys set jwk = $2::jsonb where kid = $1', [
        kid,
        JSON.stringify(encryptJwk(secrets, decryptJwk(secrets, jwk))),
      ]);
    return outdated.length;
  });
}

/** Encrypts the private part. */
const encryptJwk = (secrets: SecretsKeyCipher, jwk: JWK): JWK => mapPrivatePart(jwk, secrets.encrypt);
const decryptJwk = (secrets: SecretsKeyCipher, jwk: JWK): JWK => mapPrivatePart(jwk, secrets.decrypt);

const mapPrivatePart = (jwk: JWK, change: (part: string) => string): JWK => ({
  ...jwk,
  ...(jwk.d === undefined ? {} : { d: change(jwk.d) }),
  ...(jwk.k === undefined ? {} : { k: change(jwk.k) }),
});
