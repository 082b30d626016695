/** Deletes the viewer's own account. Orders keep what they need; a business must not lose its last ADMIN by it. */
import { verifyPassword } from '../../auth/passwords.ts';
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../errors.ts';
import { lockStaffOf } from '../businesses/memberships.ts';
import { keepAnAdmin } from '../businesses/roles.ts';
import { type Attempt, giveBack, limit, rules } from './limits.ts';
import { passwordWrong } from './login.ts';
import { stillSignedIn } from './me.ts';
import { endSessionsOf } from './sessions.ts';

/** Who has a password must give it; who has none proved who they are by being signed in. */
export async function deleteMe(
  ctx: Context,
  { password }: { password?: string | undefined },
): Promise<{ id: string }> {
  const { user } = ctx.viewer;
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
    const left = await lockStaffOf(tx, user.userId);
    await endSessionsOf(ctx, tx, user.userId);
    await tx.prisma.user.deleteMany({ where: { id: user.userId } });
    for (const businessId of left) await keepAnAdmin(tx, businessId, 'id');
  });
  return { id: user.userId };
}
