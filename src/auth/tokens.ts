/** Access and refresh tokens: signed with EdDSA, claims exactly as documented plus `iat` and `jti`. */
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import { newId } from '../lib/ids.ts';
import { now } from '../lib/time.ts';
import type { Keys } from './keys.ts';

export const accessTokenSeconds = 3600;

export type Provider = 'EMAIL' | 'OAUTH_IDP' | 'GUEST' | 'API';

export interface Claims {
  sub: string;
  email?: string;
  provider: Provider;
  /** Seconds; null on refresh tokens that do not expire. */
  exp: number | null;
  iat: number;
  jti: string;
}

type TokenKind = 'at+jwt' | 'rt+jwt';

export interface Tokens {
  access(claims: Pick<Claims, 'sub' | 'email' | 'provider'>): Promise<{ token: string; expiresAt: number }>;
  refresh(
    claims: Pick<Claims, 'sub' | 'email' | 'provider' | 'exp'>,
  ): Promise<{ token: string; jti: string }>;
  verifyAccess(token: string): Promise<Claims | undefined>;
  verifyRefresh(token: string): Promise<Claims | undefined>;
}

export function createTokens(keys: Keys): Tokens {
  // A token that verified once is good until it expires; revocation is a matter of sessions, not of access tokens.
  const verified = new LRUCache<string, Claims>({ max: 10_000 });

  const sign = (kind: TokenKind, claims: Claims) =>
    new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', kid: keys.kid, typ: kind })
      .sign(keys.signing);

  // jose's jwtVerify refuses `exp: null`, so the signature is verified here and the claims are checked by hand.
  const verify = async (kind: TokenKind, token: string): Promise<Claims | undefined> => {
    try {
      const key = keys.verifying(decodeProtectedHeader(token).kid);
      if (!key) return undefined;
      const { payload, protectedHeader } = await compactVerify(token, key, { algorithms: ['EdDSA'] });
      if (protectedHeader.typ !== kind) return undefined;
      const claims = JSON.parse(Buffer.from(payload).toString()) as Claims;
      return isCurrent(claims) ? claims : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    async access(claims) {
      const expiresAt = now() + accessTokenSeconds;
      const token = await sign('at+jwt', { ...claims, exp: expiresAt, iat: now(), jti: newId() });
      return { token, expiresAt };
    },
    async refresh(claims) {
      const jti = newId();
      return { token: await sign('rt+jwt', { ...claims, iat: now(), jti }), jti };
    },
    async verifyAccess(token) {
      const known = verified.get(token);
      if (known) return isCurrent(known) ? known : undefined;
      const claims = await verify('at+jwt', token);
      if (claims) verified.set(token, claims);
      return claims;
    },
    verifyRefresh: (token) => verify('rt+jwt', token),
  };
}

const isCurrent = (claims: Claims) => claims.exp === null || claims.exp > now();
