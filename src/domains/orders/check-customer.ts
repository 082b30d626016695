/** Whom staff may name as a customer: an order shows how its customer is reached, so it must not be a way to look up strangers. */
import type { Queries } from '../../db/sql.ts';
import { invalid } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { loadContacts } from '../users/contacts.ts';
import { thereByChoice } from '../users/people.ts';

export async function checkCustomer(
  queries: Queries,
  businessId: string,
  customerId: string | undefined,
): Promise<void> {
  if (customerId === undefined) return;
  if (isId(customerId) && (await mayBeCustomer(queries, businessId, customerId))) return;
  // In the same words whether there is no such user, or one of other businesses.
  throw invalid({
    field: 'customerId',
    error: 'CUSTOMER_NOT_FOUND',
    message: 'Must be a guest, or somebody who bought from this business or works for it.',
  });
}

/** Somebody tied to the business by their own doing, or a guest who is not another's. */
async function mayBeCustomer(queries: Queries, businessId: string, id: string): Promise<boolean> {
  if ((await thereByChoice(queries, [id], [businessId])).size > 0) return true;
  const contact = (await loadContacts(queries, [id])).get(id);
  if (!contact?.isGuest) return false;
  const elsewhere = await queries.sql('select 1 from orders where customer_id = $1 limit 1', [id]);
  return elsewhere.length === 0;
}
