/** Whether there is such a business: asked only where the answer would otherwise be "nothing" or "no". */
import type { Queries } from '../db/handles.ts';
import { notFoundError } from '../errors.ts';
import { isId } from '../lib/ids.ts';

/** Throws 404 under a business that does not exist, whoever asks. */
export async function assertBusinessExists({ db }: { db: Asking }, id: string): Promise<void> {
  if (!(await businessExists(db, id))) throw notFoundError('Business');
}

export async function businessExists(db: Asking, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return (await db.sql('select 1 from businesses where id = $1', [id])).length > 0;
}

type Asking = Pick<Queries, 'sql'>;
