/** Deletes the viewer's own account. Orders keep what they need; a business must not lose its last ADMIN by it. */
import { verifyPassword } from '../../auth/passwords.ts';
import { isStillSignedIn } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../errors.ts';
import { keepAnAdmin, lockStaff } from '../businesses/roles.ts';
import { type Attempt, giveBack, limit, rules } from './limits.ts';
import { passwordWrong } from './login.ts';
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
  const [stored] = await ctx.db.sql<{ password_hash: string | null }>(
    `select u.password_hash from users u where ${isStillSignedIn('$1', '$2')}`,
    [user.userId, user.sessionId ?? null],
  );
  if (!stored) throw unauthenticated();
  if (stored.password_hash !== null && !(await verifyPassword(stored.password_hash, password ?? ''))) {
    throw passwordWrong('password', 'The password is wrong.');
  }
  await giveBack(ctx, ...attempts);
  await ctx.db.transaction(async (tx) => {
    const left = await tx.sql<{ business_id: string }>(
      'select business_id from memberships where user_id = $1 order by business_id',
      [user.userId],
    );
    for (const { business_id } of left) await lockStaff(tx, business_id);
    await endSessionsOf(ctx, tx, user.userId);
    await tx.sql('delete from users where id = $1', [user.userId]);
    for (const { business_id } of left) await keepAnAdmin(tx, business_id, 'id');
  });
  return { id: user.userId };
}
