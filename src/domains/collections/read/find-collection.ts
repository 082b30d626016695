/** Reads collections: one by id, slug or slug triple, or several by id. */

import { permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { contentReadDb } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Collection, collections } from '../model.ts';
import { collectionCache } from './collection-cache.ts';

const select = (condition: string) =>
  `select ${collections.columns} from ${collections.from} where c.business_id = $1 and ${condition}`;

/** The collection if the viewer may see it. */
export async function findCollection(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<Collection | undefined> {
  const key = keyOf(at.businessId, at.id);
  if (!key) return undefined;
  const reader = permissionUserId(ctx.viewer, 'CONTENT_WRITE');
  return collectionCache(contentReadDb(ctx.db)).find(key.column, {
    businessId: at.businessId,
    key: key.value,
    reader,
  });
}

/** The collections among `ids` that the viewer may see, by id. */
export const loadCollections = (ctx: Context, businessId: string, ids: readonly string[]) =>
  collectionCache(contentReadDb(ctx.db)).loadByIds(
    businessId,
    permissionUserId(ctx.viewer, 'CONTENT_WRITE'),
    ids,
  );

/** The same of whatever business. */
export const loadVisibleCollections = (ctx: Context, ids: readonly string[]) =>
  collectionCache(contentReadDb(ctx.db)).loadByIdsOfAnyBusiness(
    permissionUserId(ctx.viewer, 'CONTENT_WRITE'),
    ids,
  );

const anyById = select('c.id = $2');
const anyBySlug = select('c.slug = $2');

/** The collection whoever asks, for rules that need its schema. */
export async function findCollectionUnrestricted(
  queries: Queries,
  businessId: string,
  id: string,
): Promise<Collection | undefined> {
  const key = keyOf(businessId, id);
  if (!key) return undefined;
  const [row] = await queries.sql<TableRow>(key.column === 'id' ? anyById : anyBySlug, [
    businessId,
    key.value,
  ]);
  return row && collections.read(row);
}

/** Reads a collection for writing: nobody adds to it or changes it before the transaction ends. */
export async function lockCollection(
  tx: Queries,
  businessId: string,
  id: string,
): Promise<Collection | undefined> {
  const key = keyOf(businessId, id);
  if (!key) return undefined;
  const [row] = await tx.sql<TableRow>(`${key.column === 'id' ? anyById : anyBySlug} for update`, [
    businessId,
    key.value,
  ]);
  return row && collections.read(row);
}

/** Which of `ids` are collections of the business. */
export async function findExistingCollectionIds(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from collections where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

function keyOf(businessId: string, id: string): { column: 'id' | 'slug'; value: string } | undefined {
  const address = parseIdOrSlug(businessId, id);
  if (!address) return undefined;
  return address.by === 'id' ? { column: 'id', value: address.id } : { column: 'slug', value: address.slug };
}
