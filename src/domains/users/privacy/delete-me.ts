/**
 * `deleteMe`: deletes the viewer's account. The books of businesses stay (see erase-users.ts). Fails when a business would lose its
 * last ADMIN.
 */
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

/** Accounts with a password require it; for accounts without one, the session is sufficient proof. */
export async function deleteMe(
  ctx: Context,
  { password }: { password?: string | undefined },
): Promise<{ id: string }> {
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  const attempts: LimitedAttempt[] = [[accountLimitRules.loginByAccountHere, user.userId]];
  await enforceLimits(ctx, ...attempts);
  const storedUser = await ctx.db.prisma.user.findFirst({
    where: signedInUserWhere(user),
    select: { passwordHash: true },
  });
  if (!storedUser) throw unauthenticatedError();
  if (storedUser.passwordHash !== null && !(await verifyPassword(storedUser.passwordHash, password ?? ''))) {
    throw wrongPasswordError('password', 'The password is wrong.');
  }
  await releaseAttempts(ctx, ...attempts);
  await ctx.db.transaction(async (tx) => {
    const { userId } = user;
    await resignAllRoles(tx, userId);
    await endSessionsInTransaction(ctx, tx, { userId });
    await scheduleErasure(ctx, tx, userId);
    await deleteIdempotencyKeys(tx, userId);
    // Events with a business stay: they belong to the audit log of the business.
    await tx.prisma.securityEvent.deleteMany({ where: { userId, businessId: null } });
    await tx.prisma.user.deleteMany({ where: { id: userId } });
  });
  await ctx.revocations.refresh();
  return { id: user.userId };
}
