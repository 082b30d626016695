/** Who holds which role in a business. Somebody must always remain who may do everything. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { setRoleCheck } from '../users/checks.ts';
import { sharedColumns, type User } from '../users/model.ts';
import { recordEvent } from '../users/security-events.ts';
import { keepAnAdmin, lockStaff } from './roles.ts';

/** The business whose permission counts: the one that the caller names must be the role's own. */
export async function businessOfRole(ctx: Context, roleId: string): Promise<string | undefined> {
  if (!isId(roleId)) return undefined;
  const [role] = await ctx.db.sql<{ business_id: string }>('select business_id from roles where id = $1', [
    roleId,
  ]);
  return role?.business_id;
}

/** Replaces the user's role in the business. */
export async function setRole(
  ctx: Context,
  { userId, roleId, businessId: named }: z.output<typeof setRoleCheck>['input'],
): Promise<User> {
  const businessId = await businessOfRole(ctx, roleId);
  if (businessId === undefined || (named !== undefined && named !== businessId)) throw notFound('Role');
  return ctx.db.transaction(async (tx) => {
    await lockStaff(tx, businessId);
    const [role] = await tx.sql<{ name: string }>('select name from roles where id = $1', [roleId]);
    if (!role) throw notFound('Role');
    const [user] = isId(userId)
      ? await tx.sql('select 1 from users where id = $1 and is_confirmed and not is_guest', [userId])
      : [];
    if (!user) throw notFound('User');
    const previous = await roleNameOf(tx, businessId, userId);
    await tx.sql(
      `insert into memberships (business_id, user_id, role_id, created_at) values ($1, $2, $3, $4)
       on conflict (user_id, business_id) do update set role_id = excluded.role_id`,
      [businessId, userId, roleId, now()],
    );
    await keepAnAdmin(tx, businessId, 'roleId');
    if (previous !== role.name) {
      await recordEvent(ctx, tx, {
        type: 'ROLE_CHANGED',
        userId,
        businessId,
        detail: { role: role.name, ...(previous === undefined ? {} : { previousRole: previous }) },
      });
    }
    const [changed] = await tx.sql<User>(`select ${sharedColumns('$2')} from users u where u.id = $1`, [
      userId,
      [businessId],
    ]);
    if (!changed) throw notFound('User');
    return changed;
  });
}

/** Takes the user's role in the business away. */
export async function removeMember(
  ctx: Context,
  { businessId, userId }: { businessId: string; userId: string },
): Promise<{ id: string }> {
  await ctx.db.transaction(async (tx) => {
    await lockStaff(tx, businessId);
    const previous = isId(userId) ? await roleNameOf(tx, businessId, userId) : undefined;
    if (previous === undefined) throw notFound('Member');
    await tx.sql('delete from memberships where business_id = $1 and user_id = $2', [businessId, userId]);
    await keepAnAdmin(tx, businessId, 'userId');
    await recordEvent(ctx, tx, {
      type: 'ROLE_CHANGED',
      userId,
      businessId,
      detail: { previousRole: previous },
    });
  });
  return { id: userId };
}

type Transaction = Parameters<typeof lockStaff>[0];

async function roleNameOf(tx: Transaction, businessId: string, userId: string): Promise<string | undefined> {
  const [row] = await tx.sql<{ name: string }>(
    'select r.name from memberships m join roles r on r.id = m.role_id where m.business_id = $1 and m.user_id = $2',
    [businessId, userId],
  );
  return row?.name;
}
