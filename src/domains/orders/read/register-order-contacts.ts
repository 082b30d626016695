/** Registers the customers of orders of a business as its contacts, when imported. */
import { registerBusinessContactSource } from '../../shared/business-contact-registry.ts';

registerBusinessContactSource({
  selectUserIds: (businesses) =>
    `select o.customer_id from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id is not null`,
  isContact: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user})`,
  // Not by an order that staff created: they may name any guest as its customer.
  isVoluntaryContact: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user}
       and coalesce(o.statuses -> 0 ->> 'userId', ${user}::text) = ${user}::text)`,
});
