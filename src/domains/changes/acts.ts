/** Who has done something in a business, as a part of other queries. */
import { addAct } from '../shared/ties.ts';

addAct(
  (user, businesses) =>
    `exists (select 1 from changes c where c.business_id = any(${businesses}::uuid[]) and c.user_id = ${user})`,
);
