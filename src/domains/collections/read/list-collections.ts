/** Lists the collections that the viewer may see, newest first. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import {
  createSiblingPageLoader,
  createSqlConditionBuilder,
  defineCachedPageRecordSource,
  defineCachedSiblingPageRecordSource,
  loadOwnedPage,
  selectContentReadDb,
} from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { type Collection, newsletterCollectionKind } from '../model.ts';
import type { ListCollectionsArgs } from '../schemas.ts';
import { buildCollectionVisibilityConditionSql } from '../visibility-sql.ts';
import { collectionCache } from './collection-cache.ts';

export async function listCollections(ctx: Context, filter: ListCollectionsArgs): Promise<Page<Collection>> {
  const params: [string | null, string | null, ...unknown[]] = [
    isId(filter.businessId) ? filter.businessId : null,
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
  ];
  const { conditions, add } = createSqlConditionBuilder('c', params);
  add(filter.ids?.filter(isId), (param) => `c.id = any(${param}::uuid[])`);
  add(filter.type || undefined, (param) => `c.type = ${param}`);
  if (filter.kind)
    add(
      newsletterCollectionKind,
      (param) => `c.type ${filter.kind === newsletterCollectionKind ? '=' : '<>'} ${param}`,
    );
  add(filter.status, (param) => `c.status = ${param}`);
  return loadOwnedPage(
    { db: selectContentReadDb(ctx.db), keys: ctx.keys },
    {
      list: `collections:${filter.businessId}`,
      args: filter,
      records: collectionRecords,
      owner: 'c.business_id',
      whenEmpty: () => assertBusinessExists(ctx, filter.businessId),
      params,
      conditions: [buildCollectionVisibilityConditionSql('$1', '$2'), ...conditions.map(({ test }) => test)],
    },
  );
}

/** Parameters: business, reader, and those of the filter. */
const collectionRecords = defineCachedPageRecordSource(collectionCache);

/** Parameters: business and reader. */
const siblingCollectionRecords = defineCachedSiblingPageRecordSource(collectionCache);

/** Pages of collections for `Business.collections`, batched over all businesses of a response. */
export const listBusinessCollections = createSiblingPageLoader(
  siblingCollectionRecords,
  (ctx: Context, businessId) => ({
    list: `collections:${businessId}`,
    owner: 'c.business_id',
    params: [businessId, ctx.viewer.userIdForPermissionSql('CONTENT_WRITE')] as const,
    conditions: [buildCollectionVisibilityConditionSql('$1', '$2')],
  }),
);
