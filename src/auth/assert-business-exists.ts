/** Existence check of a business. Runs only where the result would otherwise be empty or forbidden, to keep reads at one query. */
import type { QueryHandle } from '../db/handles.ts';
import { notFoundError } from '../errors.ts';
import { isId } from '../lib/ids.ts';

/** Throws NOT_FOUND (404) when the business does not exist, independent of the viewer. */
export async function assertBusinessExists({ db }: { db: SqlReader }, id: string): Promise<void> {
  if (!(await businessExists(db, id))) throw notFoundError('Business');
}

export async function businessExists(db: SqlReader, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return (await db.sql('select 1 from businesses where id = $1', [id])).length > 0;
}

type SqlReader = Pick<QueryHandle, 'sql'>;
