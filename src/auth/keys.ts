/** The gateway's signing keys: one that signs, several that verify, and a secret derived for everything else. */
import { hkdfSync } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Db } from '../db/sql.ts';
import { now } from '../lib/time.ts';

export interface Keys {
  readonly kid: string;
  readonly signing: CryptoKey;
  verifying(kid: string | undefined): CryptoKey | undefined;
  /** The public keys, as served at `/.well-known/jwks.json`. */
  readonly jwks: { keys: JWK[] };
  /** For cursors and other short-lived proofs that only this gateway reads. */
  readonly secret: Uint8Array;
}

export async function loadKeys(db: Db, configured: string | undefined): Promise<Keys> {
  const stored = configured ? [JSON.parse(configured) as JWK] : await storedKeys(db);
  return keysFrom(stored);
}

/** The first key signs; all of them verify. */
export async function keysFrom(jwks: readonly JWK[]): Promise<Keys> {
  const pairs = await Promise.all(
    jwks.map(async (jwk) => {
      const { d: _private, ...rest } = jwk;
      const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk));
      const publicJwk = { ...rest, kid, alg: 'EdDSA', use: 'sig' };
      return { kid, jwk, publicJwk, verify: (await importJWK(publicJwk, 'EdDSA')) as CryptoKey };
    }),
  );
  const first = pairs[0];
  if (!first?.jwk.d) throw new Error('SIGNING_KEY must be an EdDSA (Ed25519) private key in JWK format.');
  const byKid = new Map(pairs.map((pair) => [pair.kid, pair.verify]));
  return {
    kid: first.kid,
    signing: (await importJWK(first.jwk, 'EdDSA')) as CryptoKey,
    verifying: (kid) => (kid === undefined ? undefined : byKid.get(kid)),
    jwks: { keys: pairs.map((pair) => pair.publicJwk) },
    secret: new Uint8Array(
      hkdfSync('sha256', Buffer.from(first.jwk.d, 'base64url'), '', 'duet internal proofs', 32),
    ),
  };
}

/** Newest first. The first process to start makes the first key; a concurrent one uses what it finds. */
async function storedKeys(db: Db): Promise<JWK[]> {
  const found = await currentKeys(db);
  if (found.length > 0) return found;
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  await db.sql(
    `insert into signing_keys (kid, jwk, created_at)
     select $1, $2::jsonb, $3 where not exists (select 1 from signing_keys where retired_at is null)`,
    [await calculateJwkThumbprint(jwk), JSON.stringify(jwk), now()],
  );
  return currentKeys(db);
}

async function currentKeys(db: Db): Promise<JWK[]> {
  const rows = await db.sql<{ kid: string; jwk: JWK }>(
    'select kid, jwk from signing_keys where retired_at is null order by created_at desc, kid',
  );
  return rows.map((row) => ({ ...row.jwk, kid: row.kid }));
}
