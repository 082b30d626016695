/** Who in a business may do something, for those who tell them about it. */
import type { Permission } from '../../../auth/permissions.ts';
import type { Queries } from '../../../db/handles.ts';

/** Ids of everybody who has a role in it. */
export async function loadMemberIds({ prisma }: Queries, businessId: string): Promise<string[]> {
  const members = await prisma.membership.findMany({ where: { businessId }, select: { userId: true } });
  return members.map(({ userId }) => userId);
}

/** Ids of the members who hold the permission, or ADMIN, in a fixed order. */
export async function loadMemberIdsWithPermission(
  queries: Queries,
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
