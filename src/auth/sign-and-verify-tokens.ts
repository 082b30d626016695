/** Issues and verifies JWTs signed with EdDSA: access, refresh and one-time tokens, and quotes. Claims as documented, plus `iat` and `jti`. */
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import { createLongKeyLru } from '../lib/cache/named-lru.ts';
import { newId } from '../lib/ids.ts';
import { now } from '../lib/time.ts';
import type { GatewayKeys, TokenUse } from './gateway-keys.ts';

export const accessTokenLifetimeSeconds = 3600;
/** A token is verified again after this time, which also reloads stale keys. */
const verificationCacheSeconds = 60;

export const authProviders = ['EMAIL', 'OAUTH_IDP', 'GUEST', 'API'] as const;
export type AuthProvider = (typeof authProviders)[number];

export interface TokenClaims {
  sub: string;
  email?: string;
  provider: AuthProvider;
  /** Unix time in seconds; null for refresh tokens that do not expire. */
  exp: number | null;
  iat: number;
  /** `<session id>.<unique part>` of an access token, `<session id>.<number of rotations>` of a rotated refresh token. */
  jti: string;
}

/** The signed header `typ` contains the kind, so that no token is accepted as another kind. */
type TokenKind = 'at+jwt' | 'rt+jwt' | 'quote+jwt' | OneTimeKind;
type OneTimeKind = 'confirm+jwt' | 'reset+jwt';

export type OneTimeTokenPurpose = 'CONFIRM' | 'RESET';

const oneTimeKinds: Record<OneTimeTokenPurpose, OneTimeKind> = { CONFIRM: 'confirm+jwt', RESET: 'reset+jwt' };

interface OneTimeClaims {
  sub: string;
  exp: number;
  iat: number;
  jti: string;
}

export interface JwtService {
  issueAccess(
    claims: Pick<TokenClaims, 'sub' | 'email' | 'provider'>,
    sessionId?: string,
  ): Promise<{ token: string; expiresAt: number }>;
  issueRefresh(
    claims: Pick<TokenClaims, 'sub' | 'email' | 'provider' | 'exp'>,
    rotation?: Pick<TokenClaims, 'jti' | 'iat'>,
  ): Promise<{ token: string; jti: string }>;
  issueOneTime(
    purpose: OneTimeTokenPurpose,
    claims: Pick<OneTimeClaims, 'sub' | 'exp'>,
  ): Promise<{ token: string; jti: string }>;
  /** Signs a price quote; any client can verify it with the public keys. */
  issueQuote(claims: object): Promise<string>;
  /** Claims of a quote, expired or not; undefined when the signature is invalid. */
  readQuote(token: string): Promise<unknown>;
  verifyAccess(token: string): Promise<TokenClaims | undefined>;
  verifyRefresh(token: string): Promise<TokenClaims | undefined>;
  verifyOneTime(purpose: OneTimeTokenPurpose, token: string): Promise<OneTimeClaims | undefined>;
}

/** Session id of an access token or a rotated refresh token; undefined when the token contains none. */
export const sessionIdOfClaims = (claims: TokenClaims): string | undefined =>
  claims.jti.includes('.') ? claims.jti.split('.')[0] : undefined;

export function createJwtService(keys: GatewayKeys): JwtService {
  // Cache of verified tokens. revoked-session-cache.ts checks the session of a token separately.
  const verifiedTokens = createLongKeyLru<{ claims: TokenClaims; until: number }>('tokens', 10_000);
  let keyChanges = 0;
  keys.onChanged(() => {
    keyChanges += 1;
    verifiedTokens.clear();
  });

  const sign = (kind: TokenKind, claims: object) => {
    keys.refreshIfStale();
    return new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: kind })
      .sign(keys.signingKey);
  };

  const findKey = async (kid: string | undefined, use: TokenUse) => {
    const loadedKey = keys.verificationKey(kid, use);
    if (loadedKey || kid === undefined) return loadedKey;
    await keys.reload();
    return keys.verificationKey(kid, use);
  };

  // jose's jwtVerify rejects `exp: null`, so the code verifies only the signature with jose and checks the claims itself.
  const readClaims = async <C>(kind: TokenKind, use: TokenUse, token: string): Promise<C | undefined> => {
    try {
      const header = decodeProtectedHeader(token);
      if (header.typ !== kind) return undefined;
      const key = await findKey(header.kid, use);
      if (!key) return undefined;
      const { payload } = await compactVerify(token, key, { algorithms: ['EdDSA'] });
      return JSON.parse(Buffer.from(payload).toString()) as C;
    } catch {
      return undefined;
    }
  };

  const verify = async <C extends { exp: number | null }>(
    kind: TokenKind,
    use: TokenUse,
    token: string,
  ): Promise<C | undefined> => {
    const claims = await readClaims<C>(kind, use, token);
    return claims && isUnexpired(claims) ? claims : undefined;
  };

  return {
    async issueAccess(claims, sessionId) {
      const expiresAt = now() + accessTokenLifetimeSeconds;
      const jti = sessionId === undefined ? newId() : `${sessionId}.${newId()}`;
      const token = await sign('at+jwt', { ...claims, exp: expiresAt, iat: now(), jti });
      return { token, expiresAt };
    },
    async issueRefresh(claims, { jti, iat } = { jti: newId(), iat: now() }) {
      return { token: await sign('rt+jwt', { ...claims, iat, jti }), jti };
    },
    async issueOneTime(purpose, claims) {
      const jti = newId();
      return { token: await sign(oneTimeKinds[purpose], { ...claims, iat: now(), jti }), jti };
    },
    issueQuote: (claims) => sign('quote+jwt', claims),
    readQuote: (token) => readClaims('quote+jwt', 'access', token),
    async verifyAccess(token) {
      const verified = verifiedTokens.get(token);
      if (verified && now() < verified.until) return verified.claims;
      keys.refreshIfStale();
      const changesBefore = keyChanges;
      const claims = await verify<TokenClaims>('at+jwt', 'access', token);
      const until = now() + verificationCacheSeconds;
      // A key that was revoked during the verification has already cleared the cache.
      if (claims && keyChanges === changesBefore)
        verifiedTokens.set(token, { claims, until: Math.min(claims.exp ?? until, until) });
      return claims;
    },
    verifyRefresh: (token) => verify<TokenClaims>('rt+jwt', 'refresh', token),
    verifyOneTime: (purpose, token) => verify<OneTimeClaims>(oneTimeKinds[purpose], 'access', token),
  };
}

const isUnexpired = (claims: { exp: number | null }) => claims.exp === null || claims.exp > now();
