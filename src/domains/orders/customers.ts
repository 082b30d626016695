/** The people who bought from a business, as a part of other queries. */
import { addTie } from '../shared/ties.ts';

addTie({
  people: (businesses) =>
    `select o.customer_id from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id is not null`,
  holds: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user})`,
});
