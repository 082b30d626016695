/** Deletes the viewer's own account. Businesses keep their books, see erase.ts; one must not lose its last ADMIN by it. */
import { verifyPassword } from '../../../auth/passwords.ts';
import type { Context } from '../../../context.ts';
import { unauthenticatedError } from '../../../errors.ts';
import { deleteIdempotencyKeys } from '../../../idempotency.ts';
import { resignAllRoles } from '../../businesses/staff/memberships.ts';
import { signedInUserWhere } from '../account/me.ts';
import { accountLimitRules, enforceLimits, type LimitedAttempt, releaseAttempts } from '../rate-limits.ts';
import { wrongPasswordError } from '../sign-in/login.ts';
import { endSessionsInTransaction } from '../sign-in/sessions.ts';
import { scheduleErasure } from './erase-users.ts';

/** Who has a password must give it; who has none proved who they are by being signed in. */
export async function deleteMe(
  ctx: Context,
  { password }: { password?: string | undefined },
): Promise<{ id: string }> {
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  const attempts: LimitedAttempt[] = [[accountLimitRules.loginByAccountHere, user.userId]];
  await enforceLimits(ctx, ...attempts);
  const stored = await ctx.db.prisma.user.findFirst({
    where: signedInUserWhere(user),
    select: { passwordHash: true },
  });
  if (!stored) throw unauthenticatedError();
  if (stored.passwordHash !== null && !(await verifyPassword(stored.passwordHash, password ?? ''))) {
    throw wrongPasswordError('password', 'The password is wrong.');
  }
  await releaseAttempts(ctx, ...attempts);
  await ctx.db.transaction(async (tx) => {
    const { userId } = user;
    await resignAllRoles(tx, userId);
    await endSessionsInTransaction(ctx, tx, { userId });
    await scheduleErasure(ctx, tx, userId);
    await deleteIdempotencyKeys(tx, userId);
    // What concerns a business stays in its trail.
    await tx.prisma.securityEvent.deleteMany({ where: { userId, businessId: null } });
    await tx.prisma.user.deleteMany({ where: { id: userId } });
  });
  await ctx.revocations.refresh();
  return { id: user.userId };
}
