/** Who works for which business, and as what. Somebody must always remain who may do everything. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import type { Business, Role } from '../../generated/prisma/client.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { keepAnAdmin, lockStaff } from './roles.ts';

export interface Membership {
  since: number | bigint;
  role: Role;
  business: Business;
}

/** The memberships of each user, the oldest first; `only` restricts them to some businesses. */
export async function membershipsOf(
  { prisma }: Queries,
  userIds: readonly string[],
  only?: readonly string[],
): Promise<Map<string, Membership[]>> {
  const rows = await prisma.membership.findMany({
    where: { userId: { in: [...userIds] }, ...(only ? { businessId: { in: [...only] } } : {}) },
    include: { role: true, business: true },
    orderBy: [{ createdAt: 'asc' }, { businessId: 'asc' }],
  });
  const found = new Map<string, Membership[]>(userIds.map((id) => [id, []]));
  for (const { userId, createdAt, role, business } of rows)
    found.get(userId)?.push({ since: createdAt, role, business });
  return found;
}

/** The business whose permission counts: the one that a caller names must be the role's own. */
export async function businessOfRole(ctx: Context, roleId: string): Promise<string | undefined> {
  if (!isId(roleId)) return undefined;
  const role = await ctx.db.prisma.role.findUnique({ where: { id: roleId }, select: { businessId: true } });
  return role?.businessId;
}

/** Names of the roles somebody has had and has now; undefined for none. */
export interface RoleChange {
  previous: string | undefined;
  role: string | undefined;
}

/** Gives a user a role, instead of the one they have in its business. */
export async function giveRole(
  tx: Queries,
  { businessId, userId, roleId }: { businessId: string; userId: string; roleId: string },
): Promise<RoleChange> {
  await lockStaff(tx, businessId);
  const role = await tx.prisma.role.findFirst({ where: { id: roleId, businessId }, select: { name: true } });
  if (!role) throw notFound('Role');
  const previous = await roleNameOf(tx, businessId, userId);
  await tx.prisma.membership.upsert({
    where: { userId_businessId: { userId, businessId } },
    create: { userId, businessId, roleId, createdAt: now() },
    update: { roleId },
  });
  await keepAnAdmin(tx, businessId, 'roleId');
  return { previous, role: role.name };
}

/** Takes a user's role in a business away. */
export async function takeRole(
  tx: Queries,
  { businessId, userId }: { businessId: string; userId: string },
): Promise<RoleChange> {
  await lockStaff(tx, businessId);
  const previous = isId(userId) ? await roleNameOf(tx, businessId, userId) : undefined;
  if (previous === undefined) throw notFound('Member');
  await tx.prisma.membership.deleteMany({ where: { businessId, userId } });
  await keepAnAdmin(tx, businessId, 'userId');
  return { previous, role: undefined };
}

/** Locks the staff of the businesses that somebody works for, in an order that all keep, and returns their ids. */
export async function lockStaffOf(tx: Queries, userId: string): Promise<string[]> {
  const held = await tx.prisma.membership.findMany({
    where: { userId },
    select: { businessId: true },
    orderBy: { businessId: 'asc' },
  });
  for (const { businessId } of held) await lockStaff(tx, businessId);
  return held.map(({ businessId }) => businessId);
}

async function roleNameOf(
  { prisma }: Queries,
  businessId: string,
  userId: string,
): Promise<string | undefined> {
  const held = await prisma.membership.findUnique({
    where: { userId_businessId: { userId, businessId } },
    select: { role: { select: { name: true } } },
  });
  return held?.role.name;
}
