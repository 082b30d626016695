/** Restricts group members to customers and staff of the business. The member list returns names, so it must not reveal names of other users. */
import type { QueryHandle } from '../../db/index.ts';
import { validationError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { filterVoluntaryBusinessContactIds } from '../users/people/user-lookups-for-other-domains.ts';

export async function assertCustomerOfBusiness(
  queries: QueryHandle,
  businessId: string,
  userId: string,
): Promise<void> {
  const contacts = isId(userId)
    ? await filterVoluntaryBusinessContactIds(queries, [userId], [businessId])
    : new Set();
  if (contacts.size === 0) throw customerNotFoundError();
}

/** The same message for an unknown user and a user of other businesses, against user enumeration. */
export const customerNotFoundError = () =>
  validationError('userId', 'CUSTOMER_NOT_FOUND', 'Must be a customer or a staff member of this business.');
