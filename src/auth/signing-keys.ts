/** The gateway's signing keys: one that signs, several that verify, and a secret for everything else. */
import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import type { Db } from '../db/handles.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { now } from '../lib/time.ts';
import { createSecretCipher, type SecretCipher } from '../secret-encryption.ts';
import {
  ensureSigningKey,
  loadGatewaySecret,
  loadStoredKeys,
  type StoredSigningKey,
} from './signing-key-store.ts';

export type TokenUse = 'access' | 'refresh';

export interface SigningKeys {
  readonly kid: string;
  readonly signingKey: CryptoKey;
  /** A retired key goes on verifying access tokens until the last it signed has expired, and refresh tokens for good. */
  verificationKey(kid: string | undefined, use: TokenUse): CryptoKey | undefined;
  /** The public keys of access tokens, as served at `/.well-known/jwks.json`. */
  readonly jwks: { keys: JWK[] };
  /** For cursors and other proofs that only this gateway reads; it stays the same when keys change. */
  readonly secret: Uint8Array;
  /** Whether what is stored is to be sealed with `secret`, which SECRETS_KEY keeps from whoever reads the database. */
  readonly sealing: boolean;
  /** Grows whenever other keys were found. */
  readonly generation: number;
  /** Looks for keys made by other processes, in the background, when the last look was a while ago. */
  refreshIfStale(): void;
  /** Looks for keys now, unless somebody looked moments ago. */
  reload(): Promise<void>;
}

/** Other processes notice a new key within this time and may sign with the old one until then. */
const lookEverySeconds = 60;
/** Unknown key ids are cheap to make up: they cause one look in this time. */
const lookAtMostEverySeconds = 5;
const verifiesAfterRetirement = 3600 + 2 * lookEverySeconds;

export async function loadSigningKeys(
  db: Db,
  configured: string | undefined,
  secrets: SecretCipher = createSecretCipher([]),
): Promise<SigningKeys> {
  const secret = { bytes: await loadGatewaySecret(db, secrets), sealing: secrets.isEnabled };
  if (configured !== undefined)
    return keyRing(secret, await configuredRing(configured), async () => undefined);
  await ensureSigningKey(db, secrets);
  let seen = '';
  const find = async () => {
    const stored = await loadStoredKeys(db, secrets);
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
async function ringFrom(stored: readonly StoredSigningKey[]): Promise<Ring> {
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
): SigningKeys {
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
    get signingKey() {
      return ring.signing;
    },
    get jwks() {
      return { keys: [...ring.pairs.values()].filter(verifiesAccess).map((pair) => pair.publicJwk) };
    },
    get generation() {
      return generation;
    },
    verificationKey(kid, use) {
      const pair = kid === undefined ? undefined : ring.pairs.get(kid);
      return pair && (use === 'refresh' || verifiesAccess(pair)) ? pair.verify : undefined;
    },
    refreshIfStale() {
      if (now() - lookedAt >= lookEverySeconds) void look();
    },
    async reload() {
      if (now() - lookedAt >= lookAtMostEverySeconds) await look();
    },
  };
}

/** Throws unless these are keys that can sign and verify. */
export async function assertSigningKey(configured: string): Promise<void> {
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
function configuredKeys(configured: string): StoredSigningKey[] {
  const parsed = JSON.parse(configured) as JWK | { keys: JWK[] };
  const jwks = 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JWK];
  if (!jwks.every(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519'))
    throw new Error('Another kind of key.');
  return jwks.map((jwk) => ({ jwk, retiredAt: null }));
}
