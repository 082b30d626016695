/** The people who work for a business, as a part of other queries. */
import { addTie, type Tie } from '../shared/ties.ts';

export const staff: Tie = {
  people: (businesses) =>
    `select m.user_id from memberships m where m.business_id = any(${businesses}::uuid[])`,
  holds: (user, businesses) =>
    `exists (select 1 from memberships m where m.user_id = ${user} and m.business_id = any(${businesses}::uuid[]))`,
  isChosen: (user, businesses) =>
    `exists (select 1 from memberships m where m.user_id = ${user} and m.business_id = any(${businesses}::uuid[])
       and (m.given_by is null or m.given_by = m.user_id))`,
};

addTie(staff);

/** SQL: the user holds one of the roles in any of the businesses. */
export const holdsRole = (user: string, businesses: string, roles: string) =>
  `exists (select 1 from memberships m where m.user_id = ${user}
     and m.business_id = any(${businesses}::uuid[]) and m.role_id = any(${roles}::uuid[]))`;
