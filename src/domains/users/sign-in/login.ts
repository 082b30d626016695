/** `login`: with email and password, as a guest, or with the code of an OAuth callback. */
import { verifyPassword } from '../../../auth/passwords.ts';
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { newId, nilUuid } from '../../../lib/ids.ts';
import {
  accountRateLimitRules,
  clientNetworkKey,
  enforceRateLimits,
  enforceRateLimitUnlessTrusted,
  type RateLimitedAttempt,
  releaseRateLimitedAttempts,
} from '../rate-limits.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { isKnownSignInNetwork } from './known-networks.ts';
import { signInWithOAuthCode } from './oauth.ts';
import type { LoginCredentials } from './schemas.ts';
import { type AuthResult, createUserSession } from './sessions.ts';

export async function login(ctx: Context, input: LoginCredentials): Promise<AuthResult> {
  const byAddress =
    input.provider === 'GUEST' ? accountRateLimitRules.guestByAddress : accountRateLimitRules.loginByAddress;
  await enforceRateLimits(ctx, [byAddress, clientNetworkKey(ctx)]);
  switch (input.provider) {
    case 'EMAIL':
      return signInWithPassword(ctx, input);
    case 'GUEST':
      return signInAsGuest(ctx, input);
    case 'OAUTH_IDP':
      return signInWithOAuthCode(ctx, input);
  }
}

async function signInWithPassword(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<AuthResult> {
  const fromThisAddress: RateLimitedAttempt = [
    accountRateLimitRules.loginByAccountHere,
    `${email} ${clientNetworkKey(ctx)}`,
  ];
  const fromAnyAddress: RateLimitedAttempt = [accountRateLimitRules.loginByAccount, email];
  // Enforced first: an address over its own limit no longer counts against the limit of the account, so it cannot lock out others.
  await enforceRateLimits(ctx, fromThisAddress);
  const user = await ctx.db.prisma.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, isConfirmed: true },
  });
  // Queried for unknown accounts too: the response time must not reveal whether the account exists.
  await enforceRateLimitUnlessTrusted(ctx, fromAnyAddress, () =>
    isKnownSignInNetwork(ctx, user?.id ?? nilUuid),
  );
  if (!(await verifyPassword(user?.passwordHash ?? null, password)) || !user) {
    if (user) recordFailedSignIn(ctx, user.id);
    throw wrongPasswordError('password', 'The email or the password is wrong.');
  }
  await releaseRateLimitedAttempts(ctx, fromThisAddress, fromAnyAddress);
  if (!user.isConfirmed) throw notConfirmed();
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

/** Creates a new guest user at every call: an unverified phone number does not identify an existing one. */
function signInAsGuest(
  ctx: Context,
  { phoneNumber }: { phoneNumber?: string | undefined },
): Promise<AuthResult> {
  const id = newId();
  return createUserSession(ctx, {
    subject: { id, email: null },
    provider: 'GUEST',
    async recordLogin({ prisma }, lastLoginAt) {
      const phoneNumbers = phoneNumber === undefined ? [] : [phoneNumber];
      const stamps = { createdAt: lastLoginAt, updatedAt: lastLoginAt, lastLoginAt };
      await prisma.user.create({ data: { id, isGuest: true, phoneNumbers, ...stamps } });
    },
  });
}

export const wrongPasswordError = (field: string, message: string) =>
  validationError(field, 'PASSWORD_WRONG', message);

const notConfirmed = () =>
  validationError(
    'email',
    'NOT_CONFIRMED',
    'The email address is not confirmed. Open the link in the confirmation mail, then sign in.',
  );
