/** The gateway's signing keys: one that signs, several that verify, and a secret for everything else. */
import { randomBytes } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Db, Queries } from '../db/sql.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { now } from '../lib/time.ts';
import { createSecrets, type Secrets } from '../secrets.ts';
import { openedJwk, sealedJwk } from './sealed-keys.ts';

export type KeyUse = 'access' | 'refresh';

export interface Keys {
  readonly kid: string;
  readonly signing: CryptoKey;
  /** A retired key goes on verifying access tokens until the last it signed has expired, and refresh tokens for good. */
  verifying(kid: string | undefined, use: KeyUse): CryptoKey | undefined;
  /** The public keys of access tokens, as served at `/.well-known/jwks.json`. */
  readonly jwks: { keys: JWK[] };
  /** For cursors and other proofs that only this gateway reads; it stays the same when keys change. */
  readonly secret: Uint8Array;
  /** Whether what is stored is to be sealed with `secret`, which SECRETS_KEY keeps from whoever reads the database. */
  readonly sealing: boolean;
  /** Grows whenever other keys were found. */
  readonly generation: number;
  /** Looks for keys made by other processes, in the background, when the last look was a while ago. */
  freshen(): void;
  /** Looks for keys now, unless somebody looked moments ago. */
  reload(): Promise<void>;
}

interface StoredKey {
  jwk: JWK;
  retiredAt: number | null;
}

/** Other processes notice a new key within this time and may sign with the old one until then. */
const lookEverySeconds = 60;
/** Unknown key ids are cheap to make up: they cause one look in this time. */
const lookAtMostEverySeconds = 5;
const verifiesAfterRetirement = 3600 + 2 * lookEverySeconds;

const plain = createSecrets([]);

export async function loadKeys(
  db: Db,
  configured: string | undefined,
  secrets: Secrets = plain,
): Promise<Keys> {
  const secret = { bytes: await storedSecret(db, secrets), sealing: secrets.sealing };
  if (configured !== undefined)
    return keyRing(secret, await configuredRing(configured), async () => undefined);
  await makeFirstKey(db, secrets);
  let seen = '';
  const find = async () => {
    const stored = await storedKeys(db, secrets);
    const found = stored.map(({ jwk, retiredAt }) => `${jwk.kid}:${retiredAt}`).join();
    if (found === seen) return undefined;
    seen = found;
    return ringFrom(stored);
  };
  const first = await find();
  if (!first) throw new Error('There is no signing key.');
  return keyRing(secret, first, find);
}

interface Ring {
  kid: string;
  signing: CryptoKey;
  pairs: ReadonlyMap<string, { verify: CryptoKey; publicJwk: JWK; retiredAt: number | null }>;
}

/** The first key signs; all of them verify. */
async function ringFrom(stored: readonly StoredKey[]): Promise<Ring> {
  const pairs = await Promise.all(
    stored.map(async ({ jwk, retiredAt }) => {
      const { d: _private, ...rest } = jwk;
      const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk));
      const publicJwk = { ...rest, kid, alg: 'EdDSA', use: 'sig' };
      return { kid, publicJwk, retiredAt, verify: (await importJWK(publicJwk, 'EdDSA')) as CryptoKey };
    }),
  );
  const [first] = stored;
  const kid = pairs[0]?.kid;
  if (!first?.jwk.d || kid === undefined) throw new Error('The first key cannot sign.');
  return {
    kid,
    signing: (await importJWK(first.jwk, 'EdDSA')) as CryptoKey,
    pairs: new Map(pairs.map((pair) => [pair.kid, pair])),
  };
}

function keyRing(
  secret: { bytes: Uint8Array; sealing: boolean },
  first: Ring,
  find: () => Promise<Ring | undefined>,
): Keys {
  let ring = first;
  let generation = 0;
  let lookedAt = now();
  let looking: Promise<void> | undefined;
  const look = () => {
    lookedAt = now();
    looking ??= find()
      .then((found) => {
        if (!found) return;
        ring = found;
        generation += 1;
      })
      // While the database does not answer, the keys we have stay in use.
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const verifiesAccess = ({ retiredAt }: { retiredAt: number | null }) =>
    retiredAt === null || retiredAt + verifiesAfterRetirement > now();
  return {
    secret: secret.bytes,
    sealing: secret.sealing,
    get kid() {
      return ring.kid;
    },
    get signing() {
      return ring.signing;
    },
    get jwks() {
      return { keys: [...ring.pairs.values()].filter(verifiesAccess).map((pair) => pair.publicJwk) };
    },
    get generation() {
      return generation;
    },
    verifying(kid, use) {
      const pair = kid === undefined ? undefined : ring.pairs.get(kid);
      return pair && (use === 'refresh' || verifiesAccess(pair)) ? pair.verify : undefined;
    },
    freshen() {
      if (now() - lookedAt >= lookEverySeconds) void look();
    },
    async reload() {
      if (now() - lookedAt >= lookAtMostEverySeconds) await look();
    },
  };
}

/** Throws unless these are keys that can sign and verify. */
export async function checkSigningKey(configured: string): Promise<void> {
  await configuredRing(configured);
}

/** What is wrong with it is not repeated: parsers quote what they choke on, and that is a private key. */
async function configuredRing(configured: string): Promise<Ring> {
  try {
    return await ringFrom(configuredKeys(configured));
  } catch {
    throw new OperatorError(
      'SIGNING_KEY: must be an EdDSA (Ed25519) private key in JWK format, or a set of them. Without it a key is made and kept in the database.',
    );
  }
}

/** One private JWK, or a JWK set: its first key signs, the others verify what was signed before. */
function configuredKeys(configured: string): StoredKey[] {
  const parsed = JSON.parse(configured) as JWK | { keys: JWK[] };
  const jwks = 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JWK];
  if (!jwks.every(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519'))
    throw new Error('Another kind of key.');
  return jwks.map((jwk) => ({ jwk, retiredAt: null }));
}

/** The secret is kept in the database under this name, whoever keeps the keys: a new key must not spoil cursors, codes and links in mails. */
const secretKid = 'internal-proofs';

async function storedSecret(db: Db, secrets: Secrets): Promise<Uint8Array> {
  const jwk = { kty: 'oct', k: randomBytes(32).toString('base64url') };
  await db.sql(
    'insert into signing_keys (kid, jwk, created_at) values ($1, $2::jsonb, $3) on conflict do nothing',
    [secretKid, JSON.stringify(sealedJwk(secrets, jwk)), now()],
  );
  const [row] = await db.sql<{ jwk: JWK }>('select jwk from signing_keys where kid = $1', [secretKid]);
  return new Uint8Array(Buffer.from(openedJwk(secrets, row?.jwk ?? {}).k ?? '', 'base64url'));
}

/** The first process to start makes the first key; a concurrent one uses what it finds. */
async function makeFirstKey(db: Db, secrets: Secrets): Promise<void> {
  const signs = `select 1 from signing_keys where kid <> '${secretKid}' and retired_at is null`;
  const [found] = await db.sql(`${signs} limit 1`);
  if (!found) await insertKey(db, secrets, `where not exists (${signs})`);
}

async function insertKey(queries: Queries, secrets: Secrets, condition: string): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  await queries.sql(`insert into signing_keys (kid, jwk, created_at) select $1, $2::jsonb, $3 ${condition}`, [
    kid,
    JSON.stringify(sealedJwk(secrets, jwk)),
    now(),
  ]);
  return kid;
}

/** The signing key first, then the retired ones, newest first. */
async function storedKeys(db: Db, secrets: Secrets): Promise<StoredKey[]> {
  const rows = await db.sql<{ kid: string; jwk: JWK; retired_at: number | null }>(
    `select kid, jwk, retired_at from signing_keys where kid <> $1
     order by retired_at is not null, created_at desc, kid`,
    [secretKid],
  );
  return rows.map(({ kid, jwk, retired_at }) => ({
    jwk: { ...openedJwk(secrets, jwk), kid },
    retiredAt: retired_at,
  }));
}

/**
 * Makes a new signing key and retires the others. With `revoke` the others are gone at once, for when one of
 * them has leaked: every token they signed is refused as soon as each process has looked.
 */
export function rotateKeys(
  db: Db,
  { revoke }: { revoke: boolean },
  secrets: Secrets = plain,
): Promise<string> {
  return db.transaction(async (tx) => {
    if (revoke) await tx.sql('delete from signing_keys where kid <> $1', [secretKid]);
    else
      await tx.sql('update signing_keys set retired_at = $2 where kid <> $1 and retired_at is null', [
        secretKid,
        now(),
      ]);
    return insertKey(tx, secrets, '');
  });
}
