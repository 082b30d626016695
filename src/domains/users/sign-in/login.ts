/** Signing in with email and password, as a guest, or with a code from the identity provider's round trip. */
import { verifyPassword } from '../../../auth/passwords.ts';
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { recordSecurityEvent, unmatchedId } from '../audit/security-events.ts';
import {
  accountLimitRules,
  clientNetworkKey,
  enforceLimits,
  enforceLimitUnless,
  type LimitedAttempt,
  releaseAttempts,
} from '../rate-limits.ts';
import { isKnownPlace } from './known-places.ts';
import { signInWithOAuthCode } from './oauth.ts';
import type { LoginCredentials } from './schemas.ts';
import { type AuthResult, openSession } from './sessions.ts';

export async function login(ctx: Context, input: LoginCredentials): Promise<AuthResult> {
  const byAddress =
    input.provider === 'GUEST' ? accountLimitRules.guestByAddress : accountLimitRules.loginByAddress;
  await enforceLimits(ctx, [byAddress, clientNetworkKey(ctx)]);
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
  const here: LimitedAttempt = [accountLimitRules.loginByAccountHere, `${email} ${clientNetworkKey(ctx)}`];
  const everywhere: LimitedAttempt = [accountLimitRules.loginByAccount, email];
  // Refused here, an address no longer counts against the account: it cannot lock out others.
  await enforceLimits(ctx, here);
  const user = await ctx.db.prisma.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, isConfirmed: true },
  });
  // Asked for nobody too: the time of a refusal must not tell whether there is such an account.
  await enforceLimitUnless(ctx, everywhere, () => isKnownPlace(ctx, user?.id ?? unmatchedId));
  if (!(await verifyPassword(user?.passwordHash ?? null, password)) || !user) {
    if (user) noteFailure(ctx, user.id);
    throw wrongPasswordError('password', 'The email or the password is wrong.');
  }
  await releaseAttempts(ctx, here, everywhere);
  if (!user.isConfirmed) throw notConfirmed();
  return openSession(ctx, {
    subject: { id: user.id, email },
    provider: 'EMAIL',
    async enter({ prisma }, lastLoginAt) {
      // A password changed since it was checked opens nothing any more.
      const { count } = await prisma.user.updateMany({
        where: { id: user.id, passwordHash: user.passwordHash, isConfirmed: true },
        data: { lastLoginAt },
      });
      if (count === 0) throw wrongPasswordError('password', 'The email or the password is wrong.');
    },
  });
}

/** After the answer, and nobody waits for it: the time of the answer must not tell whether there is such an account. */
function noteFailure(ctx: Context, userId: string): void {
  const failed = (err: unknown) =>
    ctx.log.warn({ err, requestId: ctx.request.requestId }, 'failed sign-in not recorded');
  const event = { type: 'SIGN_IN_FAILED', userId, detail: { provider: 'EMAIL' } } as const;
  setImmediate(() => void recordSecurityEvent(ctx, ctx.db, event).catch(failed));
}

/** Always somebody new: a phone number alone proves nothing. */
function signInAsGuest(
  ctx: Context,
  { phoneNumber }: { phoneNumber?: string | undefined },
): Promise<AuthResult> {
  const id = newId();
  return openSession(ctx, {
    subject: { id, email: null },
    provider: 'GUEST',
    async enter({ prisma }, lastLoginAt) {
      const phoneNumbers = phoneNumber === undefined ? [] : [phoneNumber];
      const stamps = { createdAt: lastLoginAt, updatedAt: lastLoginAt, lastLoginAt };
      await prisma.user.create({ data: { id, isGuest: true, phoneNumbers, ...stamps } });
    },
  });
}

export const wrongPasswordError = (field: string, message: string) =>
  validationError({ field, error: 'PASSWORD_WRONG', message });

const notConfirmed = () =>
  validationError({
    field: 'email',
    error: 'NOT_CONFIRMED',
    message: 'Confirm your email address first: the link is in your mail.',
  });
