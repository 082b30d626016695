/** Whether a business lets anonymous viewers read its storefront: products, collections, entries, markets and shipping methods. */
import { readOncePerTick } from '../db/batching/index.ts';
import type { Db } from '../db/handles.ts';
import { isId } from '../lib/ids.ts';

const statement = (column: 'id' | 'slug') => `select 1 from businesses where ${column} = $1 and public_read`;
const statementById = statement('id');
const statementBySlug = statement('slug');

/** False for a business that does not exist, so that anonymous viewers get the same error for it. */
export async function isPubliclyReadable({ db }: { db: Db }, idOrSlug: string): Promise<boolean> {
  const text = isId(idOrSlug) ? statementById : statementBySlug;
  return (await readOncePerTick(db, text, [idOrSlug])).length > 0;
}
