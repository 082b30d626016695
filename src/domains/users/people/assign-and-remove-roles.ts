/** Assigns and removes roles of users in a business. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import {
  assignRole,
  findBusinessIdOfRole,
  type RoleChange,
  resignRole,
  revokeRole,
} from '../../businesses/staff/manage-memberships.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { buildRoleAssignedMail } from '../messages/build-account-mails.ts';
import type { User } from '../model.ts';
import { accountRateLimitRules } from '../rate-limits.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { loadUsersWithFieldsForAdmin } from './load-users-with-visible-fields.ts';
import type { setRoleSchema } from './schemas.ts';

/** Replaces the user's role in the business. */
export async function setRole(
  ctx: Context,
  { userId, roleId, businessId: expectedBusinessId }: z.output<typeof setRoleSchema>['input'],
): Promise<User> {
  const businessId = await findBusinessIdOfRole(ctx, roleId);
  if (businessId === undefined || (expectedBusinessId !== undefined && expectedBusinessId !== businessId))
    throw notFoundError('Role');
  return ctx.db.transaction(async (tx) => {
    const email = await requireConfirmedEmail(tx, userId);
    const givenBy = ctx.viewer.user?.userId ?? null;
    const change = await assignRole(tx, { businessId, userId, roleId, givenBy });
    await recordRoleChange(ctx, tx, { businessId, userId }, change);
    if (change.role !== change.previous && givenBy !== userId) await notifyUser(ctx, tx, userId, email);
    const [user] = await loadUsersWithFieldsForAdmin(tx, [userId], [businessId]);
    if (!user) throw notFoundError('User');
    return user;
  });
}

/** Assigns a role that the user has accepted: the user counts as its giver, and cannot leave as the last ADMIN. */
export async function assignAcceptedRole(
  ctx: Context,
  tx: QueryHandle,
  { roleId, ...member }: { businessId: string; userId: string; roleId: string },
): Promise<void> {
  const change = await assignRole(tx, { ...member, roleId, givenBy: member.userId });
  await recordRoleChange(ctx, tx, member, change);
}

export async function removeBusinessMember(
  ctx: Context,
  member: { businessId: string; userId: string },
): Promise<{ id: string }> {
  await ctx.db.transaction(async (tx) => recordRoleChange(ctx, tx, member, await revokeRole(tx, member)));
  return { id: member.userId };
}

/** Removes the viewer's own role; no permission is needed. */
export async function leaveBusiness(
  ctx: Context,
  { businessId }: { businessId: string },
): Promise<{ id: string }> {
  if (!ctx.viewer.accountUser) throw unauthenticatedError();
  const member = { businessId, userId: ctx.viewer.accountUser.userId };
  await ctx.db.transaction(async (tx) => recordRoleChange(ctx, tx, member, await resignRole(tx, member)));
  return { id: businessId };
}

/** Email address of a confirmed account. Throws NOT_FOUND for guests and unconfirmed accounts. */
async function requireConfirmedEmail(queries: QueryHandle, userId: string): Promise<string> {
  const user = isId(userId)
    ? await accountsOf(queries).prisma.user.findFirst({
        where: { id: userId, isConfirmed: true, isGuest: false },
        select: { email: true },
      })
    : undefined;
  if (!user?.email) throw notFoundError('User');
  return user.email;
}

/** Rate-limited: repeated assignments must not flood the user with mails. */
async function notifyUser(ctx: Context, tx: QueryHandle, userId: string, email: string): Promise<void> {
  const state = await ctx.limits.consume(accountRateLimitRules.roleMailByAccount, userId);
  if (!state?.exceeded) await queueMail(ctx, tx, buildRoleAssignedMail(ctx.config, email));
}

async function recordRoleChange(
  ctx: Context,
  tx: QueryHandle,
  member: { businessId: string; userId: string },
  { role, previous }: RoleChange,
): Promise<void> {
  if (role === previous) return;
  await recordSecurityEvent(ctx, tx, {
    type: 'ROLE_CHANGED',
    ...member,
    detail: {
      ...(role === undefined ? {} : { role }),
      ...(previous === undefined ? {} : { previousRole: previous }),
    },
  });
}
