/** Sign-in with email and password. */
import { verifyPassword } from '../../../auth/hash-and-verify-passwords.ts';
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { nilUuid } from '../../../lib/ids.ts';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
  enforceRateLimits,
  enforceRateLimitUnlessExempt,
  type RateLimitedAttempt,
  releaseRateLimitedAttempts,
} from '../rate-limits.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { isKnownSignInNetwork } from './known-sign-in-networks.ts';
import { type AuthResult, createUserSession } from './sessions.ts';

export async function signInWithPassword(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<AuthResult> {
  const fromThisAddress: RateLimitedAttempt = [
    accountRateLimitRules.loginByAccountHere,
    `${email} ${buildClientNetworkRateLimitKey(ctx)}`,
  ];
  const fromAnyAddress: RateLimitedAttempt = [accountRateLimitRules.loginByAccount, email];
  // Enforced first: an address over its own limit no longer counts against the limit of the account, so it cannot lock out others.
  await enforceRateLimits(ctx, fromThisAddress);
  const user = await ctx.db.prisma.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, isConfirmed: true },
  });
  // Queried for unknown accounts too: the response time must not reveal whether the account exists.
  await enforceRateLimitUnlessExempt(ctx, fromAnyAddress, () =>
    isKnownSignInNetwork(ctx, user?.id ?? nilUuid),
  );
  if (
    !(await verifyPassword(user?.passwordHash ?? null, password, buildClientNetworkRateLimitKey(ctx))) ||
    !user
  ) {
    if (user) recordFailedSignIn(ctx, user.id);
    throw wrongPasswordError('password', 'The email or the password is wrong.');
  }
  await releaseRateLimitedAttempts(ctx, fromThisAddress, fromAnyAddress);
  if (!user.isConfirmed) throw emailNotConfirmedError();
  return createUserSession(ctx, {
    subject: { id: user.id, email },
    provider: 'EMAIL',
    async recordLogin({ prisma }, lastLoginAt) {
      // Matches no row when the password was changed after it was verified above.
      const { count } = await prisma.user.updateMany({
        where: { id: user.id, passwordHash: user.passwordHash, isConfirmed: true },
        data: { lastLoginAt },
      });
      if (count === 0) throw wrongPasswordError('password', 'The email or the password is wrong.');
    },
  });
}

/** Runs after the response and is not awaited: the response time must not reveal whether the account exists. */
function recordFailedSignIn(ctx: Context, userId: string): void {
  const logFailure = (err: unknown) =>
    ctx.log.warn(
      { err, requestId: ctx.request.requestId },
      'could not record the SIGN_IN_FAILED security event',
    );
  const event = { type: 'SIGN_IN_FAILED', userId, detail: { provider: 'EMAIL' } } as const;
  setImmediate(() => void recordSecurityEvent(ctx, ctx.db, event).catch(logFailure));
}

export const wrongPasswordError = (field: string, message: string) =>
  validationError(field, 'PASSWORD_WRONG', message);

export const emailNotConfirmedError = () =>
  validationError(
    'email',
    'NOT_CONFIRMED',
    'The email address is not confirmed. Open the link in the confirmation mail, then sign in.',
  );
