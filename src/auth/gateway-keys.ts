/** Signing keys of the gateway: one signs, several verify; plus a secret for cursors and other internal proofs. */
import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import type { Db } from '../db/handles.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { now } from '../lib/time.ts';
import { createSecretsKeyCipher, type SecretsKeyCipher } from '../secrets-key-cipher.ts';
import {
  ensureSigningKey,
  loadOrCreateGatewaySecret,
  loadStoredSigningKeys,
  type StoredSigningKey,
} from './load-rotate-and-reencrypt-stored-keys.ts';

export type TokenUse = 'access' | 'refresh';

export interface GatewayKeys {
  readonly kid: string;
  readonly signingKey: CryptoKey;
  /** Public key for a key id. A retired key verifies access tokens until the last one it signed has expired, and refresh tokens without limit. */
  verificationKey(kid: string | undefined, use: TokenUse): CryptoKey | undefined;
  /** Public keys of access tokens, served at `/.well-known/jwks.json`. */
  readonly jwks: { keys: JWK[] };
  /** HMAC secret for cursors and other proofs that only this gateway verifies. Not changed by key rotation. */
  readonly secret: Uint8Array;
  /** Whether stored secrets are encrypted with `secret`. Only with SECRETS_KEY, because otherwise `secret` itself is readable in the database. */
  readonly sealing: boolean;
  /** Calls `listener` whenever a reload has found different keys. */
  onChanged(listener: () => void): void;
  /** Reloads the keys in the background when the last load is more than 60 seconds ago; other processes may have rotated them. */
  refreshIfStale(): void;
  /** Reloads the keys unless the last load is less than 5 seconds ago. */
  reload(): Promise<void>;
  /** Reloads the keys after a notification that they have changed, after a load under way: it may have read the old ones. */
  reloadChanged(): Promise<void>;
}

/** A process that missed the notification of a new key notices it within this time and may sign with the old one until then. */
const reloadIntervalSeconds = 60;
/** Minimum time between reloads for unknown key ids, which any client can make up. */
const minReloadSeconds = 5;
/** Lifetime of an access token plus the time in which other processes still sign with a retired key. */
const verifiesAfterRetirementSeconds = 3600 + 2 * reloadIntervalSeconds;

export async function loadGatewayKeys(
  db: Db,
  configured: string | undefined,
  secrets: SecretsKeyCipher = createSecretsKeyCipher([]),
): Promise<GatewayKeys> {
  const secret = { bytes: await loadOrCreateGatewaySecret(db, secrets), sealing: secrets.isEnabled };
  if (configured !== undefined)
    return createGatewayKeys(secret, await parseConfiguredRing(configured), async () => undefined);
  await ensureSigningKey(db, secrets);
  let lastFingerprint = '';
  const loadIfChanged = async () => {
    const stored = await loadStoredSigningKeys(db, secrets);
    const fingerprint = stored.map(({ jwk, retiredAt }) => `${jwk.kid}:${retiredAt}`).join();
    if (fingerprint === lastFingerprint) return undefined;
    lastFingerprint = fingerprint;
    return importRing(stored);
  };
  const first = await loadIfChanged();
  if (!first) throw new Error('The table signing_keys contains no signing key.');
  return createGatewayKeys(secret, first, loadIfChanged);
}

interface KeyRing {
  kid: string;
  signing: CryptoKey;
  pairs: ReadonlyMap<string, { verificationKey: CryptoKey; publicJwk: JWK; retiredAt: number | null }>;
}

/** The first key signs; all of them verify. */
async function importRing(stored: readonly StoredSigningKey[]): Promise<KeyRing> {
  const pairs = await Promise.all(
    stored.map(async ({ jwk, retiredAt }) => {
      const { d: _private, ...publicPart } = jwk;
      const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk));
      const publicJwk = { ...publicPart, kid, alg: 'EdDSA', use: 'sig' };
      return {
        kid,
        publicJwk,
        retiredAt,
        verificationKey: (await importJWK(publicJwk, 'EdDSA')) as CryptoKey,
      };
    }),
  );
  const [first] = stored;
  const kid = pairs[0]?.kid;
  if (!first?.jwk.d || kid === undefined)
    throw new Error('The first key has no private part and cannot sign.');
  return {
    kid,
    signing: (await importJWK(first.jwk, 'EdDSA')) as CryptoKey,
    pairs: new Map(pairs.map((pair) => [pair.kid, pair])),
  };
}

function createGatewayKeys(
  secret: { bytes: Uint8Array; sealing: boolean },
  first: KeyRing,
  loadIfChanged: () => Promise<KeyRing | undefined>,
): GatewayKeys {
  let ring = first;
  const listeners: (() => void)[] = [];
  let loadedAt = now();
  let loading: Promise<void> | undefined;
  const reloadRing = () => {
    loadedAt = now();
    loading ??= loadIfChanged()
      .then((loadedRing) => {
        if (!loadedRing) return;
        ring = loadedRing;
        for (const listener of listeners) listener();
      })
      // While the database is unavailable the loaded keys remain in use; the next load is due after `minReloadSeconds`.
      .catch(() => {
        loadedAt = now() - reloadIntervalSeconds + minReloadSeconds;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  const verifiesAccess = ({ retiredAt }: { retiredAt: number | null }) =>
    retiredAt === null || retiredAt + verifiesAfterRetirementSeconds > now();
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
    onChanged(listener) {
      listeners.push(listener);
    },
    verificationKey(kid, use) {
      const pair = kid === undefined ? undefined : ring.pairs.get(kid);
      return pair && (use === 'refresh' || verifiesAccess(pair)) ? pair.verificationKey : undefined;
    },
    refreshIfStale() {
      if (now() - loadedAt >= reloadIntervalSeconds) void reloadRing();
    },
    async reload() {
      if (now() - loadedAt >= minReloadSeconds) await reloadRing();
    },
    async reloadChanged() {
      await loading;
      await reloadRing();
    },
  };
}

/** Throws unless the value of SIGNING_KEY is a valid key or key set. */
export async function assertValidSigningKeyConfig(configured: string): Promise<void> {
  await parseConfiguredRing(configured);
}

/** The cause is omitted from the error: JSON parsers quote their input, which is a private key here. */
async function parseConfiguredRing(configured: string): Promise<KeyRing> {
  try {
    return await importRing(parseConfiguredKeys(configured));
  } catch {
    throw new OperatorError(
      'SIGNING_KEY: must be an EdDSA (Ed25519) private key in JWK format, or a set of them. Without it the gateway creates a key and stores it in the database.',
    );
  }
}

/** A private JWK, or a JWK set whose first key signs while the others verify tokens signed before. */
function parseConfiguredKeys(configured: string): StoredSigningKey[] {
  const parsed = JSON.parse(configured) as JWK | { keys: JWK[] };
  const jwks = 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JWK];
  if (!jwks.every(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519'))
    throw new Error('The key is not Ed25519.');
  return jwks.map((jwk) => ({ jwk, retiredAt: null }));
}
