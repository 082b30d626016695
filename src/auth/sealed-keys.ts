/** The gateway's keys as they are stored: their private part is sealed where SECRETS_KEY is set. */
import type { JWK } from 'jose';
import type { Db } from '../db/sql.ts';
import type { Secrets } from '../secrets.ts';

/** With its private part sealed. */
export const sealedJwk = (secrets: Secrets, jwk: JWK): JWK => changedJwk(jwk, secrets.seal);
export const openedJwk = (secrets: Secrets, jwk: JWK): JWK => changedJwk(jwk, secrets.open);

const changedJwk = (jwk: JWK, change: (part: string) => string): JWK => ({
  ...jwk,
  ...(jwk.d === undefined ? {} : { d: change(jwk.d) }),
  ...(jwk.k === undefined ? {} : { k: change(jwk.k) }),
});

/** Seals every stored key with the first key of SECRETS_KEY; how many were not. */
export function resealKeys(db: Db, secrets: Secrets): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.sql<{ kid: string; jwk: JWK }>('select kid, jwk from signing_keys for update');
    const old = rows.filter(({ jwk }) => !secrets.isCurrent(jwk.d ?? jwk.k ?? ''));
    for (const { kid, jwk } of old)
      await tx.sql('update signing_keys set jwk = $2::jsonb where kid = $1', [
        kid,
        JSON.stringify(sealedJwk(secrets, openedJwk(secrets, jwk))),
      ]);
    return old.length;
  });
}
