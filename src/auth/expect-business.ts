/** Whether there is such a business: asked only where the answer would otherwise be "nothing" or "no". */
import type { Queries } from '../db/sql.ts';
import { notFound } from '../errors.ts';
import { isId } from '../lib/ids.ts';

/** Throws 404 under a business that does not exist, whoever asks. */
export async function expectBusiness({ db }: { db: Pick<Queries, 'sql'> }, id: string): Promise<void> {
  const found = isId(id) ? await db.sql('select 1 from businesses where id = $1', [id]) : [];
  if (found.length === 0) throw notFound('Business');
}
