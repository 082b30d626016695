/** Whom staff may name as a customer: an order shows how its customer is reached, so it must not be a way to look up strangers. */
import type { Queries } from '../../../db/handles.ts';
import { validationError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { filterVoluntaryContacts } from '../../users/people/business-people.ts';
import { loadContactDetails } from '../../users/people/contact-details.ts';

export async function assertOrderCustomer(
  queries: Queries,
  businessId: string,
  customerId: string | undefined,
): Promise<void> {
  if (customerId === undefined) return;
  if (isId(customerId) && (await mayBeCustomer(queries, businessId, customerId))) return;
  // In the same words whether there is no such user, or one of other businesses.
  throw validationError({
    field: 'customerId',
    error: 'CUSTOMER_NOT_FOUND',
    message: 'Must be a guest, or somebody who bought from this business or works for it.',
  });
}

/** Somebody tied to the business by their own doing, or a guest who is not another's. */
async function mayBeCustomer(queries: Queries, businessId: string, id: string): Promise<boolean> {
  if ((await filterVoluntaryContacts(queries, [id], [businessId])).size > 0) return true;
  const contact = (await loadContactDetails(queries, [id])).get(id);
  if (!contact?.isGuest) return false;
  const elsewhere = await queries.sql('select 1 from orders where customer_id = $1 limit 1', [id]);
  return elsewhere.length === 0;
}
