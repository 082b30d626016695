/** Access and refresh tokens: signed with EdDSA, claims exactly as documented plus `iat` and `jti`. */
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import { createLongKeyLru } from '../lib/cache/long-key-lru.ts';
import { newId } from '../lib/ids.ts';
import { now } from '../lib/time.ts';
import type { SigningKeys, TokenUse } from './signing-keys.ts';

export const accessTokenSeconds = 3600;

export const authProviders = ['EMAIL', 'OAUTH_IDP', 'GUEST', 'API'] as const;
export type AuthProvider = (typeof authProviders)[number];

export interface TokenClaims {
  sub: string;
  email?: string;
  provider: AuthProvider;
  /** Seconds; null on refresh tokens that do not expire. */
  exp: number | null;
  iat: number;
  /** Of an access token: `<session id>.<unique part>` when it belongs to a session. */
  jti: string;
}

/** The purpose of a token is part of what is signed, so that no token can be used as another kind. */
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

export interface Tokens {
  issueAccess(
    claims: Pick<TokenClaims, 'sub' | 'email' | 'provider'>,
    sessionId?: string,
  ): Promise<{ token: string; expiresAt: number }>;
  issueRefresh(
    claims: Pick<TokenClaims, 'sub' | 'email' | 'provider' | 'exp'>,
  ): Promise<{ token: string; jti: string }>;
  issueOneTime(
    purpose: OneTimeTokenPurpose,
    claims: Pick<OneTimeClaims, 'sub' | 'exp'>,
  ): Promise<{ token: string; jti: string }>;
  /** Something we promise: anybody can verify it with our public keys. */
  issueQuote(claims: object): Promise<string>;
  /** What was promised, expired or not; undefined when it is not a genuine quote. */
  readQuote(token: string): Promise<unknown>;
  verifyAccess(token: string): Promise<TokenClaims | undefined>;
  verifyRefresh(token: string): Promise<TokenClaims | undefined>;
  verifyOneTime(purpose: OneTimeTokenPurpose, token: string): Promise<OneTimeClaims | undefined>;
}

/** The session an access token belongs to. */
export const readSessionId = (claims: TokenClaims): string | undefined =>
  claims.jti.includes('.') ? claims.jti.split('.')[0] : undefined;

export function createTokens(keys: SigningKeys): Tokens {
  // A token that verified once is good until it expires; that its session was ended is known to revocations.ts.
  const verified = createLongKeyLru<TokenClaims>('tokens', 10_000);
  let generation = keys.generation;

  const sign = (kind: TokenKind, claims: object) => {
    keys.refreshIfStale();
    return new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: kind })
      .sign(keys.signingKey);
  };

  const keyOf = async (kid: string | undefined, use: TokenUse) => {
    const known = keys.verificationKey(kid, use);
    if (known || kid === undefined) return known;
    await keys.reload();
    return keys.verificationKey(kid, use);
  };

  // jose's jwtVerify refuses `exp: null`, so the signature is verified here and the claims are checked by hand.
  const read = async <C>(kind: TokenKind, use: TokenUse, token: string): Promise<C | undefined> => {
    try {
      const header = decodeProtectedHeader(token);
      if (header.typ !== kind) return undefined;
      const key = await keyOf(header.kid, use);
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
    const claims = await read<C>(kind, use, token);
    return claims && isCurrent(claims) ? claims : undefined;
  };

  return {
    async issueAccess(claims, sessionId) {
      const expiresAt = now() + accessTokenSeconds;
      const jti = sessionId === undefined ? newId() : `${sessionId}.${newId()}`;
      const token = await sign('at+jwt', { ...claims, exp: expiresAt, iat: now(), jti });
      return { token, expiresAt };
    },
    async issueRefresh(claims) {
      const jti = newId();
      return { token: await sign('rt+jwt', { ...claims, iat: now(), jti }), jti };
    },
    async issueOneTime(purpose, claims) {
      const jti = newId();
      return { token: await sign(oneTimeKinds[purpose], { ...claims, iat: now(), jti }), jti };
    },
    issueQuote: (claims) => sign('quote+jwt', claims),
    readQuote: (token) => read('quote+jwt', 'access', token),
    async verifyAccess(token) {
      keys.refreshIfStale();
      if (generation !== keys.generation) {
        generation = keys.generation;
        verified.clear();
      }
      const known = verified.get(token);
      if (known) return isCurrent(known) ? known : undefined;
      const claims = await verify<TokenClaims>('at+jwt', 'access', token);
      if (claims) verified.set(token, claims);
      return claims;
    },
    verifyRefresh: (token) => verify<TokenClaims>('rt+jwt', 'refresh', token),
    verifyOneTime: (purpose, token) => verify<OneTimeClaims>(oneTimeKinds[purpose], 'access', token),
  };
}

const isCurrent = (claims: { exp: number | null }) => claims.exp === null || claims.exp > now();
