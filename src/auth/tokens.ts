/** Access and refresh tokens: signed with EdDSA, claims exactly as documented plus `iat` and `jti`. */
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import { newId } from '../lib/ids.ts';
import { rememberedTexts } from '../lib/remembered-texts.ts';
import { now } from '../lib/time.ts';
import type { Keys, KeyUse } from './keys.ts';

export const accessTokenSeconds = 3600;

export const providers = ['EMAIL', 'OAUTH_IDP', 'GUEST', 'API'] as const;
export type Provider = (typeof providers)[number];

export interface Claims {
  sub: string;
  email?: string;
  provider: Provider;
  /** Seconds; null on refresh tokens that do not expire. */
  exp: number | null;
  iat: number;
  /** Of an access token: `<session id>.<unique part>` when it belongs to a session. */
  jti: string;
}

/** The purpose of a token is part of what is signed, so that no token can be used as another kind. */
type TokenKind = 'at+jwt' | 'rt+jwt' | 'quote+jwt' | OneTimeKind;
type OneTimeKind = 'confirm+jwt' | 'reset+jwt';

export type OneTimePurpose = 'CONFIRM' | 'RESET';

const oneTimeKinds: Record<OneTimePurpose, OneTimeKind> = { CONFIRM: 'confirm+jwt', RESET: 'reset+jwt' };

interface OneTimeClaims {
  sub: string;
  exp: number;
  iat: number;
  jti: string;
}

export interface Tokens {
  access(
    claims: Pick<Claims, 'sub' | 'email' | 'provider'>,
    sessionId?: string,
  ): Promise<{ token: string; expiresAt: number }>;
  refresh(
    claims: Pick<Claims, 'sub' | 'email' | 'provider' | 'exp'>,
  ): Promise<{ token: string; jti: string }>;
  oneTime(
    purpose: OneTimePurpose,
    claims: Pick<OneTimeClaims, 'sub' | 'exp'>,
  ): Promise<{ token: string; jti: string }>;
  /** Something we promise: anybody can verify it with our public keys. */
  quote(claims: object): Promise<string>;
  /** What was promised, expired or not; undefined when it is not a genuine quote. */
  readQuote(token: string): Promise<unknown>;
  verifyAccess(token: string): Promise<Claims | undefined>;
  verifyRefresh(token: string): Promise<Claims | undefined>;
  verifyOneTime(purpose: OneTimePurpose, token: string): Promise<OneTimeClaims | undefined>;
}

/** The session an access token belongs to. */
export const sessionOf = (claims: Claims): string | undefined =>
  claims.jti.includes('.') ? claims.jti.split('.')[0] : undefined;

export function createTokens(keys: Keys): Tokens {
  // A token that verified once is good until it expires; that its session was ended is known to revocations.ts.
  const verified = rememberedTexts<Claims>('tokens', 10_000);
  let generation = keys.generation;

  const sign = (kind: TokenKind, claims: object) => {
    keys.freshen();
    return new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: kind })
      .sign(keys.signing);
  };

  const keyOf = async (kid: string | undefined, use: KeyUse) => {
    const known = keys.verifying(kid, use);
    if (known || kid === undefined) return known;
    await keys.reload();
    return keys.verifying(kid, use);
  };

  // jose's jwtVerify refuses `exp: null`, so the signature is verified here and the claims are checked by hand.
  const read = async <C>(kind: TokenKind, use: KeyUse, token: string): Promise<C | undefined> => {
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
    use: KeyUse,
    token: string,
  ): Promise<C | undefined> => {
    const claims = await read<C>(kind, use, token);
    return claims && isCurrent(claims) ? claims : undefined;
  };

  return {
    async access(claims, sessionId) {
      const expiresAt = now() + accessTokenSeconds;
      const jti = sessionId === undefined ? newId() : `${sessionId}.${newId()}`;
      const token = await sign('at+jwt', { ...claims, exp: expiresAt, iat: now(), jti });
      return { token, expiresAt };
    },
    async refresh(claims) {
      const jti = newId();
      return { token: await sign('rt+jwt', { ...claims, iat: now(), jti }), jti };
    },
    async oneTime(purpose, claims) {
      const jti = newId();
      return { token: await sign(oneTimeKinds[purpose], { ...claims, iat: now(), jti }), jti };
    },
    quote: (claims) => sign('quote+jwt', claims),
    readQuote: (token) => read('quote+jwt', 'access', token),
    async verifyAccess(token) {
      keys.freshen();
      if (generation !== keys.generation) {
        generation = keys.generation;
        verified.clear();
      }
      const known = verified.get(token);
      if (known) return isCurrent(known) ? known : undefined;
      const claims = await verify<Claims>('at+jwt', 'access', token);
      if (claims) verified.set(token, claims);
      return claims;
    },
    verifyRefresh: (token) => verify<Claims>('rt+jwt', 'refresh', token),
    verifyOneTime: (purpose, token) => verify<OneTimeClaims>(oneTimeKinds[purpose], 'access', token),
  };
}

const isCurrent = (claims: { exp: number | null }) => claims.exp === null || claims.exp > now();
