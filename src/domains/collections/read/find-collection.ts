/** Finds collections by id, slug or `<businessId>:<locale>:<slug>`, loads batches by id, and locks a collection for writing. */

import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb, type TableRow } from '../../../db/index.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Collection, collectionTable } from '../model.ts';
import { collectionCache } from './collection-cache.ts';

const select = (condition: string) =>
  `select ${collectionTable.columns} from ${collectionTable.from} where c.business_id = $1 and ${condition}`;

/** Collection if the viewer may see it. */
export async function findCollection(
  ctx: Context,
  address: { businessId: string; id: string },
): Promise<Collection | undefined> {
  const key = toLookupKey(address.businessId, address.id);
  if (!key) return undefined;
  const reader = ctx.viewer.userIdForPermissionSql('CONTENT_WRITE');
  return collectionCache(selectContentReadDb(ctx.db)).find(key.column, {
    businessId: address.businessId,
    key: key.value,
    reader,
  });
}

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

const selectById = select('c.id = $2');
const selectBySlug = select('c.slug = $2');

/** Collection without a visibility check, for validation that needs its schema. */
export async function findCollectionWithoutVisibilityCheck(
  queries: QueryHandle,
  businessId: string,
  id: string,
): Promise<Collection | undefined> {
  const key = toLookupKey(businessId, id);
  if (!key) return undefined;
  const [row] = await queries.sql<TableRow>(key.column === 'id' ? selectById : selectBySlug, [
    businessId,
    key.value,
  ]);
  return row && collectionTable.read(row);
}

/** Reads a collection with `for update`: until the transaction ends, it cannot be changed, and no entry or subscriber can be added (their foreign keys need a share lock). */
export async function lockCollection(
  tx: QueryHandle,
  businessId: string,
  id: string,
): Promise<Collection | undefined> {
  const key = toLookupKey(businessId, id);
  if (!key) return undefined;
  const [row] = await tx.sql<TableRow>(`${key.column === 'id' ? selectById : selectBySlug} for update`, [
    businessId,
    key.value,
  ]);
  return row && collectionTable.read(row);
}

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

function toLookupKey(businessId: string, id: string): { column: 'id' | 'slug'; value: string } | undefined {
  const idOrSlug = parseIdOrSlug(businessId, id);
  if (!idOrSlug) return undefined;
  return idOrSlug.by === 'id'
    ? { column: 'id', value: idOrSlug.id }
    : { column: 'slug', value: idOrSlug.slug };
}
