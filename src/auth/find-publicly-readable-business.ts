/** Whether a business lets anonymous viewers read its storefront: products, collections, entries, markets and shipping methods. */
import { readOncePerTick } from '../db/batching/index.ts';
import type { Db } from '../db/handles.ts';
import { isId } from '../lib/ids.ts';

const statement = (column: 'id' | 'slug') => `select id from businesses where ${column} = $1 and public_read`;
const statementById = statement('id');
const statementBySlug = statement('slug');

/** Id of the business; undefined also for a business that does not exist, so that anonymous viewers get the same error for it. */
export async function findPubliclyReadableBusinessId(
  { db }: { db: Db },
  idOrSlug: string,
): Promise<string | undefined> {
  const text = isId(idOrSlug) ? statementById : statementBySlug;
  const [business] = await readOncePerTick<{ id: string }>(db, text, [idOrSlug]);
  return business?.id;
}
