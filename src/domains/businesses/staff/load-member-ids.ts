/** Ids of the members of a business, for notifications. */
import type { Permission } from '../../../auth/permissions-and-default-roles.ts';
import type { QueryHandle } from '../../../db/index.ts';

/** Ids of all users with a role in the business. */
export async function loadBusinessMemberIds({ prisma }: QueryHandle, businessId: string): Promise<string[]> {
  const members = await prisma.membership.findMany({ where: { businessId }, select: { userId: true } });
  return members.map(({ userId }) => userId);
}

/** Ids of the members with the permission or ADMIN, ordered by id. */
export async function loadBusinessMemberIdsWithPermission(
  queries: QueryHandle,
  businessId: string,
  permission: Permission,
): Promise<string[]> {
  const members = await queries.prisma.membership.findMany({
    where: { businessId, role: { permissions: { hasSome: ['ADMIN', permission] } } },
    orderBy: { userId: 'asc' },
    select: { userId: true },
  });
  return members.map(({ userId }) => userId);
}
