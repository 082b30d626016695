/** Who sees more than the public: decided inside the statement that reads, so that reading needs no second query. */
import { allows, type Permission } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';

/** The viewer, if the statement has to look up whether they hold one of the permissions; null when they cannot. */
export function draftReader({ user }: Viewer, ...permissions: [Permission, ...Permission[]]): string | null {
  if (!user || user.isGuest) return null;
  const { limitedTo } = user;
  return !limitedTo || permissions.some((name) => allows(limitedTo, name)) ? user.userId : null;
}

/** SQL: the user in parameter `user` holds one of the permissions, or ADMIN, in the business in `business`. */
export const holds = (business: string, user: string, ...permissions: Permission[]) =>
  `(${user}::uuid is not null and exists (
  select 1 from memberships m join roles r on r.id = m.role_id
  where m.user_id = ${user}::uuid and m.business_id = ${business} and r.permissions && array[${[
    'ADMIN',
    ...permissions,
  ]
    .map((name) => `'${name}'`)
    .join(', ')}]))`;
