/** Finds one collection that the viewer may see, by id, slug or `<businessId>:<locale>:<slug>`. */
import type { Context } from '../../../context.ts';
import { selectContentReadDb } from '../../../db/index.ts';
import type { Collection } from '../model.ts';
import { collectionCache } from './collection-cache.ts';
import { toCollectionLookupKey } from './find-and-lock-stored-collection.ts';

/** Collection if the viewer may see it. */
export async function findCollection(
  ctx: Context,
  address: { businessId: string; id: string },
): Promise<Collection | undefined> {
  const key = toCollectionLookupKey(address.businessId, address.id);
  if (!key) return undefined;
  const reader = ctx.viewer.userIdForPermissionSql('CONTENT_WRITE');
  return collectionCache(selectContentReadDb(ctx.db)).find(key.column, {
    businessId: address.businessId,
    key: key.value,
    reader,
  });
}
