/** Whom staff may put into a group: the list of members shows names, so it must not be a way to look up strangers. */
import type { Queries } from '../../db/handles.ts';
import { validationError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { isVoluntaryContactSql } from '../shared/business-contacts.ts';

export async function assertCustomerOfBusiness(
  queries: Queries,
  businessId: string,
  userId: string,
): Promise<void> {
  if (!isId(userId)) throw customerNotFoundError();
  const found = await queries.sql(`select 1 where ${isVoluntaryContactSql('$2::uuid', '$1')}`, [
    [businessId],
    userId,
  ]);
  if (found.length === 0) throw customerNotFoundError();
}

/** In the same words whether there is no such user, or one of other businesses. */
export const customerNotFoundError = () =>
  validationError({
    field: 'userId',
    error: 'CUSTOMER_NOT_FOUND',
    message: 'Must be somebody who bought from this business or works for it.',
  });
