/** Giving people roles in a business, and taking them away. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import {
  assignRole,
  findBusinessOfRole,
  type RoleChange,
  resignRole,
  revokeRole,
} from '../../businesses/staff/memberships.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { recordSecurityEvent } from '../audit/security-events.ts';
import { buildRoleAssignedMail } from '../messages/mails.ts';
import type { User } from '../model.ts';
import { accountLimitRules } from '../rate-limits.ts';
import { loadUsersAsAdmin } from './read-users.ts';
import type { setRoleSchema } from './schemas.ts';

/** Replaces the user's role in the business. */
export async function setRole(
  ctx: Context,
  { userId, roleId, businessId: named }: z.output<typeof setRoleSchema>['input'],
): Promise<User> {
  const businessId = await findBusinessOfRole(ctx, roleId);
  if (businessId === undefined || (named !== undefined && named !== businessId)) throw notFoundError('Role');
  return ctx.db.transaction(async (tx) => {
    const email = await confirmedEmail(tx, userId);
    const givenBy = ctx.viewer.user?.userId ?? null;
    const change = await assignRole(tx, { businessId, userId, roleId, givenBy });
    await record(ctx, tx, { businessId, userId }, change);
    if (change.role !== change.previous && givenBy !== userId) await tell(ctx, tx, userId, email);
    const [user] = await loadUsersAsAdmin(tx, [userId], [businessId]);
    if (!user) throw notFoundError('User');
    return user;
  });
}

export async function removeBusinessMember(
  ctx: Context,
  at: { businessId: string; userId: string },
): Promise<{ id: string }> {
  await ctx.db.transaction(async (tx) => record(ctx, tx, at, await revokeRole(tx, at)));
  return { id: at.userId };
}

/** The role and its business are one's own to give up. */
export async function leaveBusiness(
  ctx: Context,
  { businessId }: { businessId: string },
): Promise<{ id: string }> {
  if (!ctx.viewer.accountUser) throw unauthenticatedError();
  const at = { businessId, userId: ctx.viewer.accountUser.userId };
  await ctx.db.transaction(async (tx) => record(ctx, tx, at, await resignRole(tx, at)));
  return { id: businessId };
}

/** A confirmed account always has an address. */
async function confirmedEmail({ prisma }: Queries, userId: string): Promise<string> {
  const user = isId(userId)
    ? await prisma.user.findFirst({
        where: { id: userId, isConfirmed: true, isGuest: false },
        select: { email: true },
      })
    : undefined;
  if (!user?.email) throw notFoundError('User');
  return user.email;
}

/** Roles that are given over and over are told only now and then. */
async function tell(ctx: Context, tx: Queries, userId: string, email: string): Promise<void> {
  const state = await ctx.limits.consume(accountLimitRules.roleMailByAccount, userId);
  if (!state?.exceeded) await queueMail(ctx, tx, buildRoleAssignedMail(ctx.config, email));
}

async function record(
  ctx: Context,
  tx: Queries,
  at: { businessId: string; userId: string },
  { role, previous }: RoleChange,
): Promise<void> {
  if (role === previous) return;
  await recordSecurityEvent(ctx, tx, {
    type: 'ROLE_CHANGED',
    ...at,
    detail: {
      ...(role === undefined ? {} : { role }),
      ...(previous === undefined ? {} : { previousRole: previous }),
    },
  });
}
