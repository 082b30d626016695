/** Authenticates requests by access token or API key. */
import type { Db } from '../db/handles.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { now } from '../lib/time.ts';
import type { Permission } from './permissions.ts';
import type { RevokedSessionCache } from './revoked-session-cache.ts';
import { type AuthTokenService, sessionIdOfClaims } from './tokens.ts';
import { type AuthenticatedUser, Viewer } from './viewer.ts';

export const hashApiKey = sha256Hex;

interface CredentialHeaders {
  authorization: string | undefined;
  apiKey: string | undefined;
}

interface Authentication {
  db: Db;
  tokens: AuthTokenService;
  revocations: Pick<RevokedSessionCache, 'revokedAt'>;
}

/** Token or API key of an `Authorization: Bearer` header. PERF: the regular expression tests only the scheme, because tokens are long and every request has one. */
export function parseBearerToken(authorization: string | undefined): string | undefined {
  if (!authorization || !/^bearer /i.test(authorization)) return undefined;
  const bearer = authorization.slice('bearer '.length).trimStart();
  return bearer === '' || bearer.includes(' ') ? undefined : bearer;
}

/**
 * Authenticates every request, REST and GraphQL. Invalid and revoked credentials yield an anonymous viewer; operations that require
 * a user then fail with UNAUTHENTICATED.
 */
export async function authenticateOrAnonymous(
  { db, tokens, revocations }: Authentication,
  { authorization, apiKey }: CredentialHeaders,
): Promise<Viewer> {
  const bearer = parseBearerToken(authorization);
  const claims = bearer?.includes('.') ? await tokens.verifyAccess(bearer) : undefined;
  if (claims) {
    const sessionId = sessionIdOfClaims(claims);
    if (sessionId !== undefined && revocations.revokedAt.has(sessionId)) return new Viewer(db, undefined);
    const { sub: userId, provider } = claims;
    return new Viewer(db, { userId, provider, isGuest: provider === 'GUEST', sessionId });
  }
  const key = apiKey ?? bearer;
  return new Viewer(db, key ? await findApiKeyUser(db, key) : undefined);
}

export interface ApiKeyRow {
  id: string;
  user_id: string;
  restricted: boolean;
  permissions: Permission[];
  last_used_at: number | null;
}

/** `last_used_at` is updated at most once in this time, so that most requests write nothing. */
const lastUsedPrecisionSeconds = 60;

async function findApiKeyUser(db: Db, value: string): Promise<AuthenticatedUser | undefined> {
  const hash = hashApiKey(value);
  const time = now();
  const [row] = await db.sql<ApiKeyRow>(
    `select id, user_id, restricted, permissions, last_used_at from api_tokens
     where hash = $1 and (expires_at is null or expires_at > $2)`,
    [hash, time],
  );
  if (!row) return undefined;
  if ((row.last_used_at ?? 0) < time - lastUsedPrecisionSeconds)
    await db.write('update api_tokens set last_used_at = $2 where hash = $1', [hash, time]);
  return toApiKeyUser(row);
}

export const toApiKeyUser = ({
  id,
  user_id,
  restricted,
  permissions: keyPermissions,
}: ApiKeyRow): AuthenticatedUser => ({
  userId: user_id,
  provider: 'API',
  isGuest: false,
  keyId: id,
  keyPermissions: restricted ? new Set(keyPermissions) : undefined,
});
