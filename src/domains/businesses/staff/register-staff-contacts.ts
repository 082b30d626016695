/** Registers the staff of a business as its contacts, when imported; SQL condition for holding a role. */
import {
  type BusinessContactSource,
  registerBusinessContactSource,
} from '../../shared/business-contact-registry.ts';

export const staffContactSource: BusinessContactSource = {
  selectUserIds: (businesses) =>
    `select m.user_id from memberships m where m.business_id = any(${businesses}::uuid[])`,
  isContact: (user, businesses) =>
    `exists (select 1 from memberships m where m.user_id = ${user} and m.business_id = any(${businesses}::uuid[]))`,
  isVoluntaryContact: (user, businesses) =>
    `exists (select 1 from memberships m where m.user_id = ${user} and m.business_id = any(${businesses}::uuid[])
       and (m.accepted_at is not null or m.given_by is null or m.given_by = m.user_id))`,
};

registerBusinessContactSource(staffContactSource);

/** SQL condition: the user has one of the roles in any of the businesses. */
export const buildRoleInBusinessConditionSql = (user: string, businesses: string, roles: string) =>
  `exists (select 1 from memberships m where m.user_id = ${user}
     and m.business_id = any(${businesses}::uuid[]) and m.role_id = any(${roles}::uuid[]))`;
