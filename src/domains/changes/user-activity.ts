/** Who has done something in a business, as a part of other queries. */
import { registerActivitySource } from '../shared/business-contacts.ts';

registerActivitySource(
  (user, businesses) =>
    `exists (select 1 from changes c where c.business_id = any(${businesses}::uuid[]) and c.user_id = ${user})`,
);
