/** Restricts group members to customers and staff of the business. The member list returns names, so it must not reveal names of other users. */
import type { QueryHandle } from '../../db/index.ts';
import { validationError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { buildVoluntaryBusinessContactConditionSql } from '../shared/business-contact-registry.ts';

export async function assertCustomerOfBusiness(
  queries: QueryHandle,
  businessId: string,
  userId: string,
): Promise<void> {
  if (!isId(userId)) throw customerNotFoundError();
  const rows = await queries.sql(
    `select 1 where ${buildVoluntaryBusinessContactConditionSql('$2::uuid', '$1')}`,
    [[businessId], userId],
  );
  if (rows.length === 0) throw customerNotFoundError();
}

/** The same message for an unknown user and a user of other businesses, against user enumeration. */
export const customerNotFoundError = () =>
  validationError('userId', 'CUSTOMER_NOT_FOUND', 'Must be a customer or a staff member of this business.');
