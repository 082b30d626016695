/** Who sees more than the public: decided inside the statement that reads, so that reading needs no second query. */
import { allowsPermission, type Permission } from './permissions.ts';
import type { Viewer } from './viewer.ts';

/**
 * For the parameter `user` of `holds`: whose permissions to look up. Null for guests and visitors, who have none, and for an API
 * key that is limited to others than this one.
 */
export function permissionUserId({ user }: Viewer, permission: Permission): string | null {
  if (!user || user.isGuest) return null;
  const { keyPermissions: limitedTo } = user;
  return !limitedTo || allowsPermission(limitedTo, permission) ? user.userId : null;
}

/** SQL: the user in parameter `user` holds one of the permissions, or ADMIN, in the business in `business`. */
export const hasPermissionSql = (business: string, user: string, ...permissions: Permission[]) =>
  `(${user}::uuid is not null and exists (
  select 1 from memberships m join roles r on r.id = m.role_id
  where m.user_id = ${user}::uuid and m.business_id = ${business} and r.permissions && array[${[
    'ADMIN',
    ...permissions,
  ]
    .map((name) => `'${name}'`)
    .join(', ')}]))`;
