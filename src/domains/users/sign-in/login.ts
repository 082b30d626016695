/** `login`: dispatches to sign-in with email and password, as a guest, or with the code of an OAuth callback. */
import type { Context } from '../../../context.ts';
import { accountRateLimitRules, buildClientNetworkRateLimitKey, enforceRateLimits } from '../rate-limits.ts';
import type { LoginCredentials } from './schemas.ts';
import type { AuthResult } from './sessions.ts';
import { signInAsGuest } from './sign-in-as-guest.ts';
import { signInWithLoginCode } from './sign-in-with-oauth.ts';
import { signInWithPassword } from './sign-in-with-password.ts';

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
