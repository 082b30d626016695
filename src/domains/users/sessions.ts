/** Sessions: opened by a sign-in, carried on by a refresh token, ended by signing out. */
import { z } from 'zod';
import { digest, seal, unseal } from '../../auth/secrets.ts';
import type { Claims, Provider } from '../../auth/tokens.ts';
import { sessionOf } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { insertRow } from '../../db/rows.ts';
import type { Queries } from '../../db/sql.ts';
import { unauthenticated } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { providerOf } from './checks.ts';
import { recordEvent } from './security-events.ts';

export interface AuthResult {
  userId: string;
  provider: Provider;
  accessToken: string;
  refreshToken: string;
  tokenType: 'Bearer';
  expiresAt: number;
  scope: string;
  isGuest: boolean;
}

/** Who signs in. `email` is what the tokens will say. */
export interface Subject {
  id: string;
  email: string | null;
}

interface SignIn {
  subject: Subject;
  provider: Exclude<Provider, 'API'>;
  /** The identity provider's token, to be revoked at the end. */
  providerToken?: string | undefined;
  /** Runs first in the transaction that opens the session, and throws if it must not be opened after all. */
  before(tx: Queries): Promise<void>;
}

const guestSeconds = 30 * 24 * 3600;

export async function openSession(ctx: Context, signIn: SignIn): Promise<AuthResult> {
  const { subject, provider, providerToken } = signIn;
  const sessionId = newId();
  const expiresAt = provider === 'GUEST' ? now() + guestSeconds : null;
  // Signed before the transaction begins: it should hold its locks for no longer than it must.
  const refresh = await ctx.tokens.refresh({ ...claimsOf(subject, provider), exp: expiresAt });
  const auth = await authResult(ctx, subject, provider, sessionId, refresh.token);
  await ctx.db.transaction(async (tx) => {
    await signIn.before(tx);
    await tx.sql('update users set last_login_at = $2 where id = $1', [subject.id, now()]);
    await insertRow(tx, 'sessions', {
      id: sessionId,
      userId: subject.id,
      provider,
      jtiHash: digest(refresh.jti),
      providerToken: providerToken === undefined ? null : seal(ctx.keys.secret, providerToken),
      createdAt: now(),
      expiresAt,
    });
    await recordEvent(ctx, tx, { type: 'SIGNED_IN', userId: subject.id, detail: { provider } });
  });
  return auth;
}

interface SessionRow extends Subject {
  sessionId: string;
  provider: Provider;
}

/** A new access token; the refresh token stays the same. */
export async function refreshSession(
  ctx: Context,
  { provider, refreshToken }: { provider?: string | undefined; refreshToken: string },
): Promise<AuthResult> {
  if (provider !== undefined) providerOf(ctx.config, provider);
  const claims = await ctx.tokens.verifyRefresh(refreshToken);
  const [session] = claims
    ? await ctx.db.sql<SessionRow>(
        `select s.id as "sessionId", s.provider, u.id, u.email from sessions s join users u on u.id = s.user_id
         where s.jti_hash = $1 and s.user_id = $2 and (s.expires_at is null or s.expires_at > $3)`,
        [digest(claims.jti), claims.sub, now()],
      )
    : [];
  if (!session) throw unauthenticated('The refresh token is not valid, or was revoked. Sign in again.');
  return authResult(ctx, session, session.provider, session.sessionId, refreshToken);
}

/** Ends the session of the given token, or else of the request itself. */
export async function signOut(ctx: Context, { token }: { token?: string | undefined }): Promise<void> {
  const { user } = ctx.viewer;
  const named = token ? await sessionNamedBy(ctx, token) : undefined;
  const own = user?.sessionId && { column: 'id', value: user.sessionId };
  const session = named ?? own;
  if (!session) {
    if (!user) throw unauthenticated();
    return;
  }
  await ctx.db.transaction((tx) => endSessions(ctx, tx, `${session.column} = $1`, [session.value]));
}

async function sessionNamedBy(ctx: Context, token: string) {
  const refresh = await ctx.tokens.verifyRefresh(token);
  if (refresh) return { column: 'jti_hash', value: digest(refresh.jti) };
  const access: Claims | undefined = await ctx.tokens.verifyAccess(token);
  const sessionId = access && sessionOf(access);
  return sessionId === undefined ? undefined : { column: 'id', value: sessionId };
}

/** Ends every session of a user but, if given, one. */
export const endSessionsOf = (ctx: Context, tx: Queries, userId: string, except?: string) =>
  endSessions(ctx, tx, 'user_id = $1 and ($2::uuid is null or id <> $2)', [userId, except ?? null]);

/** The identity provider hears of it by a job, so that its silence keeps nobody signed in. */
async function endSessions(ctx: Context, tx: Queries, where: string, params: unknown[]): Promise<void> {
  const ended = await tx.sql<{ user_id: string; provider: Provider; provider_token: string | null }>(
    `delete from sessions where ${where} returning user_id, provider, provider_token`,
    params,
  );
  for (const session of ended) {
    await recordEvent(ctx, tx, {
      type: 'SIGNED_OUT',
      userId: session.user_id,
      detail: { provider: session.provider },
    });
    if (session.provider_token !== null) {
      await ctx.jobs.enqueue(tx, revokeIdentityJob, { sealed: session.provider_token });
    }
  }
}

export const revokeIdentityJob = defineJob(
  'users.revoke-identity',
  z.object({ sealed: z.string() }),
  async ({ identity, keys }: Pick<Context, 'identity' | 'keys'>, { sealed }) => {
    // A token sealed with another secret is beyond our reach.
    const token = unseal(keys.secret, sealed);
    if (token !== undefined) await identity?.revoke(token);
  },
  { retries: 10 },
);

const claimsOf = ({ id, email }: Subject, provider: Provider) => ({
  sub: id,
  ...(email === null ? {} : { email }),
  provider,
});

async function authResult(
  ctx: Context,
  subject: Subject,
  provider: Provider,
  sessionId: string,
  refreshToken: string,
): Promise<AuthResult> {
  const isGuest = provider === 'GUEST';
  const { token, expiresAt } = await ctx.tokens.access(claimsOf(subject, provider), sessionId);
  return {
    userId: subject.id,
    provider,
    accessToken: token,
    refreshToken,
    tokenType: 'Bearer',
    expiresAt,
    scope: isGuest ? 'guest' : 'user',
    isGuest,
  };
}
