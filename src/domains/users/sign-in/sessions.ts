/** Sessions: opened by a sign-in, ended by signing out. */
import { z } from 'zod';
import {
  type AuthProvider,
  sessionIdOfClaims,
  type TokenClaims,
} from '../../../auth/sign-and-verify-tokens.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { unauthenticatedError } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import {
  decryptWithSecret,
  encryptWithSecret,
  sha256Hex,
} from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { defineJob } from '../../../ports/jobs.ts';
import type { TokenSubject } from '../model.ts';
import { recordSecurityEvent, type SignOutReason } from '../security-events/security-events.ts';
import { recordSignInNetwork } from './known-sign-in-networks.ts';
import { parseAuthProvider } from './schemas.ts';

export interface AuthResult {
  userId: string;
  provider: AuthProvider;
  accessToken: string;
  refreshToken: string;
  tokenType: 'Bearer';
  expiresAt: number;
  scope: string;
  isGuest: boolean;
}

interface SignIn {
  subject: TokenSubject;
  provider: Exclude<AuthProvider, 'API'>;
  /** Token of the identity provider; revoked when the session ends. */
  providerToken?: string | undefined;
  /** Runs first in the transaction: updates `lastLoginAt` of the user, or throws when the sign-in is no longer valid. */
  recordLogin(tx: QueryHandle, lastLoginAt: number): Promise<void>;
}

const guestSessionSeconds = 30 * 24 * 3600;

export async function createUserSession(ctx: Context, signIn: SignIn): Promise<AuthResult> {
  const { subject, provider, providerToken } = signIn;
  const sessionId = newId();
  const expiresAt = provider === 'GUEST' ? now() + guestSessionSeconds : null;
  // Tokens are signed before the transaction begins, which shortens the time for which it holds row locks.
  const refresh = await ctx.tokens.issueRefresh({ ...buildTokenClaims(subject, provider), exp: expiresAt });
  const auth = await createAuthResult(ctx, subject, provider, sessionId, refresh.token);
  await ctx.db.transaction(async (tx) => {
    const createdAt = now();
    await signIn.recordLogin(tx, createdAt);
    await tx.prisma.session.create({
      data: {
        id: sessionId,
        userId: subject.id,
        provider,
        jtiHash: sha256Hex(refresh.jti),
        providerToken: providerToken === undefined ? null : encryptWithSecret(ctx.keys.secret, providerToken),
        address: ctx.request.address.slice(0, 100),
        createdAt,
        lastSeenAt: createdAt,
        expiresAt,
      },
    });
    if (provider !== 'GUEST') await recordSignInNetwork(ctx, tx, subject, createdAt);
    await recordSecurityEvent(ctx, tx, { type: 'SIGNED_IN', userId: subject.id, detail: { provider } });
  });
  return auth;
}

interface SignOut {
  provider?: string | undefined;
  token?: string | undefined;
}

/** Ends the session of `token`; without one, the session of the request. */
export async function signOut(ctx: Context, { provider, token }: SignOut): Promise<void> {
  if (provider !== undefined) parseAuthProvider(ctx.config, provider);
  const { user } = ctx.viewer;
  const sessionOfToken = token ? await sessionWhere(ctx, token) : undefined;
  const sessionOfRequest = user?.sessionId === undefined ? undefined : { id: user.sessionId };
  const session = sessionOfToken ?? sessionOfRequest;
  if (!session) {
    if (!user) throw unauthenticatedError();
    return;
  }
  await endSessions(ctx, session);
}

async function sessionWhere(ctx: Context, token: string): Promise<Prisma.SessionWhereInput | undefined> {
  const refresh = await ctx.tokens.verifyRefresh(token);
  if (refresh) return buildSessionOfRefreshTokenWhere(refresh);
  const access = await ctx.tokens.verifyAccess(token);
  const id = access && sessionIdOfClaims(access);
  return id === undefined ? undefined : { id };
}

/** A rotated token contains the id of its session and how often it was rotated; the first one is found by its hash. */
export function buildSessionOfRefreshTokenWhere(claims: TokenClaims): Prisma.SessionWhereInput {
  const id = sessionIdOfClaims(claims);
  return id === undefined ? { jtiHash: sha256Hex(claims.jti) } : { id };
}

/** Ends the matching sessions, effective at once in every process. Returns their number. */
export async function endSessions(
  ctx: Context,
  where: Prisma.SessionWhereInput,
  reason?: SignOutReason,
): Promise<number> {
  const ended = await ctx.db.transaction((tx) => endSessionsInTransaction(ctx, tx, where, reason));
  await ctx.revocations.refresh();
  return ended;
}

/**
 * Within the caller's transaction; call `ctx.revocations.refresh()` after the commit. A job revokes the token at the identity provider,
 * so that signing out does not depend on the provider being reachable.
 */
export async function endSessionsInTransaction(
  ctx: Context,
  tx: QueryHandle,
  where: Prisma.SessionWhereInput,
  reason?: SignOutReason,
): Promise<number> {
  let ended = 0;
  for (const { id, userId, provider, providerToken } of await tx.prisma.session.findMany({ where })) {
    // Only the request whose DELETE matches the row records the event: of two concurrent requests, one.
    const { count } = await tx.prisma.session.deleteMany({ where: { id } });
    if (count === 0) continue;
    ended += 1;
    const detail = { provider, ...(reason === undefined ? {} : { reason }) };
    await recordSecurityEvent(ctx, tx, { type: 'SIGNED_OUT', userId, detail });
    if (providerToken !== null) await ctx.jobs.enqueue(tx, revokeIdentityTokenJob, { sealed: providerToken });
  }
  return ended;
}

export const revokeIdentityTokenJob = defineJob(
  'users.revoke-identity',
  z.object({ sealed: z.string() }),
  async ({ identity, keys }: Pick<Context, 'identity' | 'keys'>, { sealed }) => {
    // A token that was sealed with another secret cannot be decrypted: there is nothing to revoke.
    const token = decryptWithSecret(keys.secret, sealed);
    if (token !== undefined) await identity?.revoke(token);
  },
  { retries: 10 },
);

export const buildTokenClaims = ({ id, email }: TokenSubject, provider: AuthProvider) => ({
  sub: id,
  ...(email === null ? {} : { email }),
  provider,
});

export async function createAuthResult(
  ctx: Context,
  subject: TokenSubject,
  provider: AuthProvider,
  sessionId: string,
  refreshToken: string,
): Promise<AuthResult> {
  const isGuest = provider === 'GUEST';
  const { token, expiresAt } = await ctx.tokens.issueAccess(buildTokenClaims(subject, provider), sessionId);
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
