/** Lists the collections that the viewer may see, newest first. */

import { assertBusinessExists } from '../../../auth/assert-business.ts';
import { userIdForPermissionSql } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import {
  type CurrentRecordVersion,
  contentReadDb,
  createSiblingPageLoader,
  loadOwnedPage,
} from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { type Collection, collectionTable, newsletterCollectionType } from '../model.ts';
import type { ListCollectionsArgs } from '../schemas.ts';
import { isCollectionVisibleSql } from '../visibility.ts';
import { collectionCache } from './collection-cache.ts';

export async function listCollections(ctx: Context, filter: ListCollectionsArgs): Promise<Page<Collection>> {
  const params: unknown[] = [
    isId(filter.businessId) ? filter.businessId : null,
    userIdForPermissionSql(ctx.viewer, 'CONTENT_WRITE'),
  ];
  const conditions = [isCollectionVisibleSql('$1', '$2')];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  if (filter.ids) add(filter.ids.filter(isId), (param) => `c.id = any(${param}::uuid[])`);
  if (filter.type) add(filter.type, (param) => `c.type = ${param}`);
  if (filter.kind)
    add(
      newsletterCollectionType,
      (param) => `c.type ${filter.kind === newsletterCollectionType ? '=' : '<>'} ${param}`,
    );
  if (filter.status) add(filter.status, (param) => `c.status = ${param}`);
  return loadOwnedPage<CurrentRecordVersion, Collection>(
    { db: contentReadDb(ctx.db), keys: ctx.keys },
    {
      list: `collections:${filter.businessId}`,
      args: filter,
      columns: collectionCache.columns,
      table: collectionTable.from,
      owner: 'c.business_id',
      whenEmpty: () => assertBusinessExists(ctx, filter.businessId),
      params,
      conditions,
      toNodes: (current) =>
        collectionCache(contentReadDb(ctx.db)).loadPageRecords(
          filter.businessId,
          userIdForPermissionSql(ctx.viewer, 'CONTENT_WRITE'),
          current,
        ),
    },
  );
}

/** Pages of collections for `Business.collections`, batched over all businesses of a response. */
export const listBusinessCollections = createSiblingPageLoader<Context, CurrentRecordVersion, Collection>(
  (ctx, businessId) => {
    const reader = userIdForPermissionSql(ctx.viewer, 'CONTENT_WRITE');
    return {
      list: `collections:${businessId}`,
      columns: collectionCache.columns,
      table: collectionTable.from,
      owner: 'c.business_id',
      params: [businessId, reader],
      conditions: [isCollectionVisibleSql('$1', '$2')],
      toNodes: (current) => collectionCache(contentReadDb(ctx.db)).loadPageRecords(null, reader, current),
    };
  },
);
