/** Lists the collections a viewer may see, newest first. */

import { expectBusiness } from '../../auth/expect-business.ts';
import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import { siblingPages } from '../../db/sibling-pages.ts';
import { contentOf } from '../../db/sql.ts';
import type { Current } from '../../db/versions.ts';
import { isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import type { CollectionFilter } from './checks.ts';
import { type Collection, collections, newsletterType } from './model.ts';
import { collectionVersions } from './versions.ts';
import { isVisible } from './visibility.ts';

export async function listCollections(ctx: Context, filter: CollectionFilter): Promise<Page<Collection>> {
  const params: unknown[] = [
    isId(filter.businessId) ? filter.businessId : null,
    permissionHolder(ctx.viewer, 'CONTENT_WRITE'),
  ];
  const conditions = [isVisible('$1', '$2')];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  if (filter.ids) add(filter.ids.filter(isId), (param) => `c.id = any(${param}::uuid[])`);
  if (filter.type) add(filter.type, (param) => `c.type = ${param}`);
  if (filter.kind)
    add(newsletterType, (param) => `c.type ${filter.kind === newsletterType ? '=' : '<>'} ${param}`);
  if (filter.status) add(filter.status, (param) => `c.status = ${param}`);
  return ownedPage<Current, Collection>(
    { db: contentOf(ctx.db), keys: ctx.keys },
    {
      list: `collections:${filter.businessId}`,
      args: filter,
      columns: collectionVersions.columns,
      table: collections.from,
      owner: 'c.business_id',
      whenEmpty: () => expectBusiness(ctx, filter.businessId),
      params,
      conditions,
      toNodes: (current) =>
        collectionVersions(contentOf(ctx.db)).all(
          filter.businessId,
          permissionHolder(ctx.viewer, 'CONTENT_WRITE'),
          current,
        ),
    },
  );
}

/** The collections of a business that an answer shows. */
export const collectionsOf = siblingPages<Context, Current, Collection>((ctx, businessId) => {
  const reader = permissionHolder(ctx.viewer, 'CONTENT_WRITE');
  return {
    list: `collections:${businessId}`,
    columns: collectionVersions.columns,
    table: collections.from,
    owner: 'c.business_id',
    params: [businessId, reader],
    conditions: [isVisible('$1', '$2')],
    toNodes: (current) => collectionVersions(contentOf(ctx.db)).all(null, reader, current),
  };
});
