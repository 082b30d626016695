/** Deletes the viewer's own account. Businesses keep their books, see erase.ts; one must not lose its last ADMIN by it. */
import { verifyPassword } from '../../auth/passwords.ts';
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../errors.ts';
import { forgetCaller } from '../../idempotency.ts';
import { leaveAll } from '../businesses/memberships.ts';
import { beginErasure } from './erase.ts';
import { type Attempt, giveBack, limit, rules } from './limits.ts';
import { passwordWrong } from './login.ts';
import { stillSignedIn } from './me.ts';
import { endSessionsIn } from './sessions.ts';

/** Who has a password must give it; who has none proved who they are by being signed in. */
export async function deleteMe(
  ctx: Context,
  { password }: { password?: string | undefined },
): Promise<{ id: string }> {
  const { person: user } = ctx.viewer;
  if (!user) throw unauthenticated();
  const attempts: Attempt[] = [[rules.loginByAccountHere, user.userId]];
  await limit(ctx, ...attempts);
  const stored = await ctx.db.prisma.user.findFirst({
    where: stillSignedIn(user),
    select: { passwordHash: true },
  });
  if (!stored) throw unauthenticated();
  if (stored.passwordHash !== null && !(await verifyPassword(stored.passwordHash, password ?? ''))) {
    throw passwordWrong('password', 'The password is wrong.');
  }
  await giveBack(ctx, ...attempts);
  await ctx.db.transaction(async (tx) => {
    const { userId } = user;
    await leaveAll(tx, userId);
    await endSessionsIn(ctx, tx, { userId });
    await beginErasure(ctx, tx, userId);
    await forgetCaller(tx, userId);
    // What concerns a business stays in its trail.
    await tx.prisma.securityEvent.deleteMany({ where: { userId, businessId: null } });
    await tx.prisma.user.deleteMany({ where: { id: userId } });
  });
  await ctx.revocations.refresh();
  return { id: user.userId };
}
