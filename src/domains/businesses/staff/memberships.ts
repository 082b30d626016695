/** Who works for which business, and as what. Somebody must always remain who may do everything. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { notFoundError } from '../../../errors.ts';
import type { Business, Role } from '../../../generated/prisma/client.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { assertAdminRemains, lockBusinessStaff } from './roles.ts';

export interface Membership {
  since: number | bigint;
  role: Role;
  business: Business;
}

/** The memberships of each user, the oldest first; `only` restricts them to some businesses. */
export async function loadMemberships(
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
export async function findBusinessOfRole(ctx: Context, roleId: string): Promise<string | undefined> {
  if (!isId(roleId)) return undefined;
  const role = await ctx.db.prisma.role.findUnique({ where: { id: roleId }, select: { businessId: true } });
  return role?.businessId;
}

/** Names of the roles somebody has had and has now; undefined for none. */
export interface RoleChange {
  previous: string | undefined;
  role: string | undefined;
}

interface Member {
  businessId: string;
  userId: string;
}

/** Gives a user a role, instead of the one they have in its business. */
export async function assignRole(
  tx: Queries,
  { businessId, userId, roleId, givenBy }: Member & { roleId: string; givenBy: string | null },
): Promise<RoleChange> {
  await lockBusinessStaff(tx, businessId);
  const role = await tx.prisma.role.findFirst({ where: { id: roleId, businessId }, select: { name: true } });
  if (!role) throw notFoundError('Role');
  const previous = await roleNameOf(tx, { businessId, userId });
  await tx.prisma.membership.upsert({
    where: { userId_businessId: { userId, businessId } },
    create: { userId, businessId, roleId, givenBy, createdAt: now() },
    update: { roleId, givenBy },
  });
  await assertAdminRemains(tx, businessId, 'roleId');
  return { previous, role: role.name };
}

/** Takes a user's role in a business away. */
export async function revokeRole(tx: Queries, at: Member): Promise<RoleChange> {
  await lockBusinessStaff(tx, at.businessId);
  const previous = isId(at.userId) ? await roleNameOf(tx, at) : undefined;
  if (previous === undefined) throw notFoundError('Member');
  await tx.prisma.membership.deleteMany({ where: at });
  await assertAdminRemains(tx, at.businessId, 'userId');
  return { previous, role: undefined };
}

/** Gives up one's own role in a business. */
export async function resignRole(tx: Queries, at: Member): Promise<RoleChange> {
  if (!isId(at.businessId)) throw notFoundError('Business');
  await lockBusinessStaff(tx, at.businessId);
  const previous = await roleNameOf(tx, at);
  if (previous === undefined) throw notFoundError('Business');
  await giveUp(tx, at, 'businessId');
  return { previous, role: undefined };
}

/** Gives up all one's roles; in an order that all keep, so that nobody waits for each other. */
export async function resignAllRoles(tx: Queries, userId: string): Promise<void> {
  const held = await tx.prisma.membership.findMany({
    where: { userId },
    select: { businessId: true },
    orderBy: { businessId: 'asc' },
  });
  for (const { businessId } of held) {
    await lockBusinessStaff(tx, businessId);
    await giveUp(tx, { businessId, userId }, 'id');
  }
}

/** Whoever founded a business, or made themselves its ADMIN, must hand it over first. A role that others gave binds nobody. */
async function giveUp(tx: Queries, at: Member, field: string): Promise<void> {
  const own = await tx.prisma.membership.findUnique({
    where: { userId_businessId: at },
    select: { givenBy: true },
  });
  await tx.prisma.membership.deleteMany({ where: at });
  const isGiven = own?.givenBy !== null && own?.givenBy !== at.userId;
  if (!isGiven) await assertAdminRemains(tx, at.businessId, field);
}

async function roleNameOf({ prisma }: Queries, { businessId, userId }: Member): Promise<string | undefined> {
  const held = await prisma.membership.findUnique({
    where: { userId_businessId: { userId, businessId } },
    select: { role: { select: { name: true } } },
  });
  return held?.role.name;
}
