/** Signing in with email and password, as a guest, or with a code from the identity provider's round trip. */
import { verifyPassword } from '../../auth/passwords.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Attempt, addressKey, giveBack, limit, limitUnless, rules } from './limits.ts';
import { signInWithCode } from './oauth.ts';
import { isKnownPlace } from './places.ts';
import { nobody, recordEvent } from './security-events.ts';
import { type AuthResult, openSession } from './sessions.ts';
import type { LoginInput } from './sign-in-checks.ts';

export async function login(ctx: Context, input: LoginInput): Promise<AuthResult> {
  const byAddress = input.provider === 'GUEST' ? rules.guestByAddress : rules.loginByAddress;
  await limit(ctx, [byAddress, addressKey(ctx)]);
  switch (input.provider) {
    case 'EMAIL':
      return signInWithPassword(ctx, input);
    case 'GUEST':
      return signInAsGuest(ctx, input);
    case 'OAUTH_IDP':
      return signInWithCode(ctx, input);
  }
}

async function signInWithPassword(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<AuthResult> {
  const here: Attempt = [rules.loginByAccountHere, `${email} ${addressKey(ctx)}`];
  const everywhere: Attempt = [rules.loginByAccount, email];
  // Refused here, an address no longer counts against the account: it cannot lock out others.
  await limit(ctx, here);
  const user = await ctx.db.prisma.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, isConfirmed: true },
  });
  // Asked for nobody too: the time of a refusal must not tell whether there is such an account.
  await limitUnless(ctx, everywhere, () => isKnownPlace(ctx, user?.id ?? nobody));
  if (!(await verifyPassword(user?.passwordHash ?? null, password)) || !user) {
    if (user) noteFailure(ctx, user.id);
    throw passwordWrong('password', 'The email or the password is wrong.');
  }
  await giveBack(ctx, here, everywhere);
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
      if (count === 0) throw passwordWrong('password', 'The email or the password is wrong.');
    },
  });
}

/** After the answer, and nobody waits for it: the time of the answer must not tell whether there is such an account. */
function noteFailure(ctx: Context, userId: string): void {
  const failed = (err: unknown) =>
    ctx.log.warn({ err, requestId: ctx.request.requestId }, 'failed sign-in not recorded');
  const event = { type: 'SIGN_IN_FAILED', userId, detail: { provider: 'EMAIL' } } as const;
  setImmediate(() => void recordEvent(ctx, ctx.db, event).catch(failed));
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

export const passwordWrong = (field: string, message: string) =>
  invalid({ field, error: 'PASSWORD_WRONG', message });

const notConfirmed = () =>
  invalid({
    field: 'email',
    error: 'NOT_CONFIRMED',
    message: 'Confirm your email address first: the link is in your mail.',
  });
