/** Memberships: the role of each user in a business. At least one member must keep the permission ADMIN. */
import { insertAccountPlaceholderRow } from '../../../auth/account-placeholder-rows.ts';
import type { Context } from '../../../context.ts';
import { businessServersOf, findBusinessesElsewhere, type QueryHandle } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import type { Business, Role } from '../../../generated/prisma/client.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { assertAdminRemains, lockBusinessStaff } from './manage-roles.ts';

export interface BusinessMembership {
  since: number | bigint;
  role: Role;
  business: Business;
}

/** Memberships of each user, oldest first; `businessIds` restricts them to some businesses. */
export async function loadBusinessMemberships(
  { prisma }: QueryHandle,
  userIds: readonly string[],
  businessIds?: readonly string[],
): Promise<Map<string, BusinessMembership[]>> {
  const rows = await prisma.membership.findMany({
    where: { userId: { in: [...userIds] }, ...(businessIds ? { businessId: { in: [...businessIds] } } : {}) },
    include: { role: true, business: true },
    orderBy: [{ createdAt: 'asc' }, { businessId: 'asc' }],
  });
  const memberships = new Map<string, BusinessMembership[]>(userIds.map((id) => [id, []]));
  for (const { userId, createdAt, role, business } of rows)
    memberships.get(userId)?.push({ since: createdAt, role, business });
  return memberships;
}

/** Memberships of a user in all businesses, on every server, oldest first. */
export async function loadAllMemberships(
  queries: QueryHandle,
  userId: string,
): Promise<BusinessMembership[]> {
  const servers = businessServersOf(queries);
  const [memberships = [], ...others] = await Promise.all(
    servers.map(async (server) => {
      const found = (await loadBusinessMemberships(server, [userId])).get(userId) ?? [];
      return servers.length === 1 ? found : withoutBusinessesElsewhere(server, found);
    }),
  );
  if (others.length === 0) return memberships;
  return [memberships, ...others].flat().sort((a, b) => Number(a.since) - Number(b.since));
}

/** While a business is being moved, both servers have its rows. */
async function withoutBusinessesElsewhere(
  server: QueryHandle,
  memberships: BusinessMembership[],
): Promise<BusinessMembership[]> {
  const elsewhere = await findBusinessesElsewhere(
    server,
    memberships.map(({ business }) => business.id),
  );
  return memberships.filter(({ business }) => !elsewhere.has(business.id));
}

/** Business that owns the role: the viewer needs ADMIN there. */
export async function findBusinessIdOfRole(ctx: Context, roleId: string): Promise<string | undefined> {
  if (!isId(roleId)) return undefined;
  const role = await ctx.db.prisma.role.findUnique({ where: { id: roleId }, select: { businessId: true } });
  return role?.businessId;
}

/** Names of the role before and after a change; undefined when there is none. */
export interface RoleChange {
  previous: string | undefined;
  role: string | undefined;
}

interface MemberKey {
  businessId: string;
  userId: string;
}

/** Assigns a role to a user, replacing the current one in its business. */
export async function assignRole(
  tx: QueryHandle,
  { businessId, userId, roleId, givenBy }: MemberKey & { roleId: string; givenBy: string | null },
): Promise<RoleChange> {
  await lockBusinessStaff(tx, businessId);
  const role = await tx.prisma.role.findFirst({ where: { id: roleId, businessId }, select: { name: true } });
  if (!role) throw notFoundError('Role');
  const previous = await findRoleName(tx, { businessId, userId });
  const time = now();
  if (!(await insertAccountPlaceholderRow(tx, userId, time))) throw notFoundError('User');
  await tx.prisma.membership.upsert({
    where: { userId_businessId: { userId, businessId } },
    create: {
      userId,
      businessId,
      roleId,
      givenBy,
      createdAt: time,
      acceptedAt: givenBy === userId ? time : null,
    },
    update: { roleId, givenBy },
  });
  await assertAdminRemains(tx, businessId, 'roleId');
  return { previous, role: role.name };
}

/** Removes a user's role in a business. */
export async function revokeRole(tx: QueryHandle, member: MemberKey): Promise<RoleChange> {
  await lockBusinessStaff(tx, member.businessId);
  const previous = isId(member.userId) ? await findRoleName(tx, member) : undefined;
  if (previous === undefined) throw notFoundError('Member');
  await tx.prisma.membership.deleteMany({ where: member });
  await assertAdminRemains(tx, member.businessId, 'userId');
  return { previous, role: undefined };
}

/** Removes a role at the request of its holder. */
export async function resignRole(tx: QueryHandle, member: MemberKey): Promise<RoleChange> {
  if (!isId(member.businessId)) throw notFoundError('Business');
  await lockBusinessStaff(tx, member.businessId);
  const previous = await findRoleName(tx, member);
  if (previous === undefined) throw notFoundError('Business');
  await deleteOwnMembership(tx, member, 'businessId');
  return { previous, role: undefined };
}

/** Removes all roles of a user at their request. Lock order: businesses by id, which prevents deadlocks. */
export async function resignAllRoles(tx: QueryHandle, userId: string): Promise<void> {
  const memberships = await tx.prisma.membership.findMany({
    where: { userId },
    select: { businessId: true },
    orderBy: { businessId: 'asc' },
  });
  for (const { businessId } of memberships) {
    await lockBusinessStaff(tx, businessId);
    await deleteOwnMembership(tx, { businessId, userId }, 'id');
  }
}

/**
 * The founder of a business, and an ADMIN who assigned the role to themselves, cannot leave as its last ADMIN. A user who received the
 * role from another user can always leave: they never agreed to be responsible for the business.
 */
async function deleteOwnMembership(tx: QueryHandle, member: MemberKey, field: string): Promise<void> {
  const membership = await tx.prisma.membership.findUnique({
    where: { userId_businessId: member },
    select: { givenBy: true },
  });
  await tx.prisma.membership.deleteMany({ where: member });
  const isAssignedByOther = membership?.givenBy !== null && membership?.givenBy !== member.userId;
  if (!isAssignedByOther) await assertAdminRemains(tx, member.businessId, field);
}

async function findRoleName(
  { prisma }: QueryHandle,
  { businessId, userId }: MemberKey,
): Promise<string | undefined> {
  const membership = await prisma.membership.findUnique({
    where: { userId_businessId: { userId, businessId } },
    select: { role: { select: { name: true } } },
  });
  return membership?.role.name;
}
