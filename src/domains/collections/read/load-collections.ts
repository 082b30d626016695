/** Loads collections in batches by id, and filters ids by existence. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb } from '../../../db/index.ts';
import { collectionCache } from './collection-cache.ts';

/** Collections of one business among `ids` that the viewer may see, by id. */
export const loadCollectionMap = (ctx: Context, businessId: string, ids: readonly string[]) =>
  collectionCache(selectContentReadDb(ctx.db)).loadByIds(
    businessId,
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
    ids,
  );

/** Like `loadCollectionMap`, across all businesses. */
export const loadVisibleCollections = (ctx: Context, ids: readonly string[]) =>
  collectionCache(selectContentReadDb(ctx.db)).loadByIdsOfAnyBusiness(
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
    ids,
  );

/** Subset of `ids` that are collections of the business. */
export async function findExistingCollectionIds(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from collections where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}
