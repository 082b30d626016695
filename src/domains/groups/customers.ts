/** Whom staff may put into a group: the list of members shows names, so it must not be a way to look up strangers. */
import type { Queries } from '../../db/sql.ts';
import { invalid } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { isTiedByChoice } from '../shared/ties.ts';

export async function expectCustomer(queries: Queries, businessId: string, userId: string): Promise<void> {
  if (!isId(userId)) throw noCustomer();
  const found = await queries.sql(`select 1 where ${isTiedByChoice('$2::uuid', '$1')}`, [
    [businessId],
    userId,
  ]);
  if (found.length === 0) throw noCustomer();
}

/** In the same words whether there is no such user, or one of other businesses. */
export const noCustomer = () =>
  invalid({
    field: 'userId',
    error: 'CUSTOMER_NOT_FOUND',
    message: 'Must be somebody who bought from this business or works for it.',
  });
