/** Renews a session with its refresh token, and rotates that token for clients that request it. */
import type { TokenClaims } from '../../../auth/sign-and-verify-tokens.ts';
import type { Context } from '../../../context.ts';
import { unauthenticatedError } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { now } from '../../../lib/time.ts';
import { accountRateLimitRules, enforceRateLimits } from '../rate-limits.ts';
import { parseAuthProvider } from './schemas.ts';
import {
  type AuthResult,
  buildSessionOfRefreshTokenWhere,
  buildTokenClaims,
  createAuthResult,
  endSessions,
} from './sessions.ts';

/** Seconds for which a rotated token is still accepted: parallel tabs, and clients that lost the response. */
const rotationGraceSeconds = 60;

interface Refresh {
  provider?: string | undefined;
  refreshToken: string;
  /** Starts the rotation for the session; false changes nothing for a session that rotates already. */
  rotate?: boolean | undefined;
}

const sessionFields = {
  id: true,
  provider: true,
  expiresAt: true,
  rotations: true,
  rotatedAt: true,
  user: { select: { id: true, email: true } },
} satisfies Prisma.SessionSelect;
type RenewedSession = Prisma.SessionGetPayload<{ select: typeof sessionFields }>;

/** Issues a new access token. The refresh token stays the same, unless the session rotates its tokens. */
export async function refreshSession(
  ctx: Context,
  { provider, refreshToken, rotate = false }: Refresh,
): Promise<AuthResult> {
  if (provider !== undefined) parseAuthProvider(ctx.config, provider);
  const claims = await ctx.tokens.verifyRefresh(refreshToken);
  if (!claims) throw invalidTokenError();
  await enforceRateLimits(ctx, [accountRateLimitRules.refreshBySession, claims.jti.split('.')[0] ?? '']);
  const { session } = ctx.db.prisma;
  for (;;) {
    const storedSession = await session.findFirst({
      where: {
        ...buildSessionOfRefreshTokenWhere(claims),
        userId: claims.sub,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now() } }],
      },
      select: sessionFields,
    });
    if (!storedSession) throw invalidTokenError();
    const step = rotationStep(storedSession, rotationsOf(claims), rotate);
    if (step === 'end') {
      await endSessions(ctx, { id: storedSession.id }, 'REFRESH_TOKEN_REUSED');
      throw invalidTokenError();
    }
    if (step === 'reject') throw invalidTokenError();
    const lastSeen = { lastSeenAt: now() };
    const rotation = { rotations: storedSession.rotations + 1, rotatedAt: BigInt(now()) };
    const { count } = await session.updateMany({
      where: { id: storedSession.id, rotations: storedSession.rotations },
      data: step === 'rotate' ? { ...lastSeen, ...rotation } : lastSeen,
    });
    // Another request has rotated the token or ended the session meanwhile.
    if (count === 0) continue;
    const newest = step === 'rotate' ? { ...storedSession, ...rotation } : storedSession;
    const token = step === 'same' ? refreshToken : await newestToken(ctx, newest);
    return createAuthResult(ctx, storedSession.user, storedSession.provider, storedSession.id, token);
  }
}

const rotationsOf = ({ jti }: TokenClaims): number => Number(jti.split('.')[1] ?? 0);

/**
 * Within the grace period nothing is rotated, so that at most the previous token can belong to a parallel tab. A token that is newer than the
 * session exists after a restore of the database.
 */
function rotationStep(
  { rotations, rotatedAt }: RenewedSession,
  rotationsOfToken: number,
  rotate: boolean,
): 'same' | 'rotate' | 'newest' | 'reject' | 'end' {
  if (rotations === 0 && rotationsOfToken === 0) return rotate ? 'rotate' : 'same';
  if (rotationsOfToken > rotations) return 'reject';
  const isInGracePeriod = now() - Number(rotatedAt) <= rotationGraceSeconds;
  if (rotationsOfToken === rotations) return isInGracePeriod ? 'same' : 'rotate';
  return rotationsOfToken === rotations - 1 && isInGracePeriod ? 'newest' : 'end';
}

/** Signed again from the session: the same token for every request of the grace period. */
async function newestToken(ctx: Context, session: RenewedSession): Promise<string> {
  const { id, user, provider, expiresAt, rotations, rotatedAt } = session;
  const { token } = await ctx.tokens.issueRefresh(
    { ...buildTokenClaims(user, provider), exp: expiresAt === null ? null : Number(expiresAt) },
    { jti: `${id}.${rotations}`, iat: Number(rotatedAt) },
  );
  return token;
}

const invalidTokenError = () =>
  unauthenticatedError('The refresh token is not valid, or was revoked. Sign in again.');
