/** Permission check as an SQL condition, part of the statement that reads, so that a read needs no second query. */
import type { Permission } from './permissions-and-default-roles.ts';

/** SQL condition: the business exists. */
export const buildBusinessExistsConditionSql = (business: string) =>
  `exists (select 1 from businesses b where b.id = ${business})`;

/** SQL condition: the user has a role in the business. */
export const buildMembershipConditionSql = (business: string, user: string) =>
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
