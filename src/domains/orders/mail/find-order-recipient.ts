/** Recipient of the mails about an order. */
import type { QueryHandle } from '../../../db/index.ts';
import { loadUserContactDetails } from '../../users/people/load-contact-details.ts';
import type { Order } from '../model.ts';

interface OrderRecipient {
  email: string;
  /** Empty if unknown. */
  name: string;
  /** Whether the recipient can sign in to see the order; other recipients get an order link. */
  hasAccount: boolean;
}

/**
 * The confirmed address of the customer's account, otherwise the contact address of the order, otherwise the address that an account
 * has not confirmed. Undefined for orders without any address.
 */
export async function findOrderRecipient(
  queries: QueryHandle,
  { customerId, contactEmail }: Pick<Order, 'customerId' | 'contactEmail'>,
): Promise<OrderRecipient | undefined> {
  const customer =
    customerId === undefined
      ? undefined
      : (await loadUserContactDetails(queries, [customerId])).get(customerId);
  const name = customer?.name ?? '';
  if (contactEmail !== undefined && !(customer?.email !== undefined && customer.isConfirmed))
    return { email: contactEmail, name, hasAccount: false };
  return customer?.email === undefined ? undefined : { email: customer.email, name, hasAccount: true };
}
