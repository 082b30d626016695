/** Giving people roles in a business, and taking them away. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { businessOfRole, giveRole, type RoleChange, takeRole } from '../businesses/memberships.ts';
import type { User } from './model.ts';
import type { setRoleCheck } from './people-checks.ts';
import { readOthers } from './read-users.ts';
import { recordEvent } from './security-events.ts';

/** Replaces the user's role in the business. */
export async function setRole(
  ctx: Context,
  { userId, roleId, businessId: named }: z.output<typeof setRoleCheck>['input'],
): Promise<User> {
  const businessId = await businessOfRole(ctx, roleId);
  if (businessId === undefined || (named !== undefined && named !== businessId)) throw notFound('Role');
  return ctx.db.transaction(async (tx) => {
    await expectConfirmed(tx, userId);
    await record(ctx, tx, { businessId, userId }, await giveRole(tx, { businessId, userId, roleId }));
    const [user] = await readOthers(tx, [userId], [businessId]);
    if (!user) throw notFound('User');
    return user;
  });
}

export async function removeMember(
  ctx: Context,
  at: { businessId: string; userId: string },
): Promise<{ id: string }> {
  await ctx.db.transaction(async (tx) => record(ctx, tx, at, await takeRole(tx, at)));
  return { id: at.userId };
}

async function expectConfirmed({ prisma }: Queries, userId: string): Promise<void> {
  const confirmed = isId(userId)
    ? await prisma.user.count({ where: { id: userId, isConfirmed: true, isGuest: false } })
    : 0;
  if (confirmed === 0) throw notFound('User');
}

async function record(
  ctx: Context,
  tx: Queries,
  at: { businessId: string; userId: string },
  { role, previous }: RoleChange,
): Promise<void> {
  if (role === previous) return;
  await recordEvent(ctx, tx, {
    type: 'ROLE_CHANGED',
    ...at,
    detail: {
      ...(role === undefined ? {} : { role }),
      ...(previous === undefined ? {} : { previousRole: previous }),
    },
  });
}
