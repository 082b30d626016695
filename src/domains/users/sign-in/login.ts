/** `login`: dispatches to sign-in with email and password, as a guest, or with the code of an OAuth callback. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../lib/ids.ts';
import { accountRateLimitRules, buildClientNetworkRateLimitKey, enforceRateLimits } from '../rate-limits.ts';
import type { LoginCredentials } from './schemas.ts';
import { type AuthResult, createUserSession } from './sessions.ts';
import { signInWithLoginCode } from './sign-in-with-oauth.ts';
import { signInWithPassword } from './sign-in-with-password.ts';

/** Creates a new guest user at every call: an unverified phone number does not identify an existing one. */
export function signInAsGuest(
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

export async function login(ctx: Context, input: LoginCredentials): Promise<AuthResult> {
  const byAddress =
    input.provider === 'GUEST' ? accountRateLimitRules.guestByAddress : accountRateLimitRules.loginByAddress;
  await enforceRateLimits(ctx, [byAddress, buildClientNetworkRateLimitKey(ctx)]);
  switch (input.provider) {
    case 'EMAIL':
      return signInWithPassword(ctx, input);
    case 'GUEST':
      return signInAsGuest(ctx, input);
    case 'OAUTH_IDP':
      return signInWithLoginCode(ctx, input);
  }
}
