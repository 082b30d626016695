/** Who bought from a business, as a part of other queries. */

/** Selects the users with an order in any of the businesses. */
export const customersOf = (businessIds: string) =>
  `select o.customer_id from orders o where o.business_id = any(${businessIds}::uuid[]) and o.customer_id is not null`;
