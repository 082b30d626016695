/** Permission check as an SQL condition, part of the statement that reads, so that a read needs no second query. */
import { allowsPermission, type Permission } from './permissions.ts';
import type { Viewer } from './viewer.ts';

/**
 * User id for the parameter `user` of `buildPermissionConditionSql`. Null for guests and anonymous viewers, who have no permissions, and for a
 * restricted API key without this permission.
 */
export function getUserIdForPermissionSql({ user }: Viewer, permission: Permission): string | null {
  if (!user || user.isGuest) return null;
  const { keyPermissions } = user;
  return !keyPermissions || allowsPermission(keyPermissions, permission) ? user.userId : null;
}

/** SQL condition: the business exists. */
export const buildBusinessExistsSql = (business: string) =>
  `exists (select 1 from businesses b where b.id = ${business})`;

/** SQL condition: the user has a role in the business. */
export const buildMembershipExistsSql = (business: string, user: string) =>
  `exists (select 1 from memberships m where m.business_id = ${business} and m.user_id = ${user})`;

/** SQL condition: the user in parameter `user` has one of the permissions, or ADMIN, in the business in `business`. */
export const buildPermissionConditionSql = (business: string, user: string, ...permissions: Permission[]) =>
  `(${user}::uuid is not null and exists (
  select 1 from memberships m join roles r on r.id = m.role_id
  where m.user_id = ${user}::uuid and m.business_id = ${business} and r.permissions && array[${[
    'ADMIN',
    ...permissions,
  ]
    .map((name) => `'${name}'`)
    .join(', ')}]))`;
