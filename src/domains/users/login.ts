/** Signing in with email and password, as a guest, or with a code from the identity provider's round trip. */
import { verifyPassword } from '../../auth/passwords.ts';
import type { Context } from '../../context.ts';
import { insertRow } from '../../db/rows.ts';
import { invalid } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { LoginInput } from './checks.ts';
import { type Attempt, addressKey, giveBack, limit, rules } from './limits.ts';
import { signInWithCode } from './oauth.ts';
import { recordEvent } from './security-events.ts';
import { type AuthResult, openSession } from './sessions.ts';

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

interface PasswordRow {
  id: string;
  password_hash: string | null;
  is_confirmed: boolean;
}

async function signInWithPassword(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<AuthResult> {
  const attempts: Attempt[] = [
    [rules.loginByAccountHere, `${email} ${addressKey(ctx)}`],
    [rules.loginByAccount, email],
  ];
  await limit(ctx, ...attempts);
  const [user] = await ctx.db.sql<PasswordRow>(
    'select id, password_hash, is_confirmed from users where email = $1',
    [email],
  );
  if (!(await verifyPassword(user?.password_hash ?? null, password)) || !user) {
    if (user)
      await recordEvent(ctx, ctx.db, {
        type: 'SIGN_IN_FAILED',
        userId: user.id,
        detail: { provider: 'EMAIL' },
      });
    throw passwordWrong('password', 'The email or the password is wrong.');
  }
  await giveBack(ctx, ...attempts);
  if (!user.is_confirmed) throw notConfirmed();
  return openSession(ctx, {
    subject: { id: user.id, email },
    provider: 'EMAIL',
    async before(tx) {
      // A password changed since it was checked opens nothing any more.
      const same = await tx.sql(
        'select 1 from users where id = $1 and password_hash = $2 and is_confirmed for update',
        [user.id, user.password_hash],
      );
      if (same.length === 0) throw passwordWrong('password', 'The email or the password is wrong.');
    },
  });
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
    async before(tx) {
      await insertRow(tx, 'users', {
        id,
        isGuest: true,
        phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
        createdAt: now(),
        updatedAt: now(),
      });
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
