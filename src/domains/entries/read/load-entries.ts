/** Loads entries in batches by id, and filters ids by existence. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb } from '../../../db/index.ts';
import { entryCache } from './entry-cache.ts';

/** Entries of one business among `ids` that the viewer may see, by id. */
export const loadEntryMap = (ctx: Context, businessId: string, ids: readonly string[]) =>
  entryCache(selectContentReadDb(ctx.db)).loadByIds(
    businessId,
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
    ids,
  );

/** Like `loadEntryMap`, across all businesses. */
export const loadVisibleEntries = (ctx: Context, ids: readonly string[]) =>
  entryCache(selectContentReadDb(ctx.db)).loadByIdsOfAnyBusiness(
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
    ids,
  );

/** Subset of `ids` that are entries of the business. */
export async function findExistingEntryIds(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from entries where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}
