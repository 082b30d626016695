/** Sign-in as a guest. */
import type { Context } from '../../../context.ts';
import { newId } from '../../../lib/ids.ts';
import { type AuthResult, createUserSession } from './sessions.ts';

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
