/** Locks of a business: changes that must see each other happen one after the other. */
import type { Queries } from '../../db/sql.ts';

/** For the rest of the transaction. Not the strongest lock: new orders and products of the business need not wait. */
export async function lockBusiness(tx: Queries, businessId: string): Promise<void> {
  await tx.sql('select id from businesses where id::text = $1 for no key update', [businessId]);
}
