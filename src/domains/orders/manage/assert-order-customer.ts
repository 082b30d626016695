/**
 * Validates the customer that staff assign to an order. An order exposes its customer's contact details, so an arbitrary user id
 * must be rejected: otherwise staff could look up any account.
 */
import { businessServersOf, type QueryHandle } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { loadUserContactDetails } from '../../users/people/load-contact-details.ts';
import { filterVoluntaryBusinessContactIds } from '../../users/people/user-lookups-for-other-domains.ts';

export async function assertOrderCustomer(
  queries: QueryHandle,
  businessId: string,
  customerId: string | undefined,
): Promise<void> {
  if (customerId === undefined) return;
  if (isId(customerId) && (await canBeCustomer(queries, businessId, customerId))) return;
  // The same error for an unknown id and for a user of another business, so that it does not reveal which accounts exist.
  throw validationError(
    'customerId',
    'CUSTOMER_NOT_FOUND',
    'Must be a guest without orders, or a customer or member of this business.',
  );
}

/** True for a user who joined or bought from the business themselves, and for a guest without orders at other businesses. */
async function canBeCustomer(queries: QueryHandle, businessId: string, id: string): Promise<boolean> {
  if ((await filterVoluntaryBusinessContactIds(queries, [id], [businessId])).size > 0) return true;
  const contact = (await loadUserContactDetails(queries, [id])).get(id);
  if (!contact?.isGuest) return false;
  const otherOrders = await Promise.all(
    businessServersOf(queries).map((server) =>
      server.sql('select 1 from orders where customer_id = $1 and business_id <> $2 limit 1', [
        id,
        businessId,
      ]),
    ),
  );
  return otherOrders.flat().length === 0;
}
