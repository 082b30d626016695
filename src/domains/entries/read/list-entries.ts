/** Lists the entries a viewer may see. */

import { assertBusinessExists } from '../../../auth/assert-business.ts';
import { permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import { contentReadDb } from '../../../db/handles.ts';
import { createConditionBuilder, loadFilteredPage, parsePageOrder } from '../../../db/pages/filtered-page.ts';
import { loadNullableSortPage } from '../../../db/pages/nullable-sort-page.ts';
import { loadOwnedPage } from '../../../db/pages/owned-page.ts';
import { createSiblingPageLoader } from '../../../db/pages/sibling-pages.ts';
import type { CurrentVersion } from '../../../db/records/record-cache.ts';
import { validationError } from '../../../errors.ts';
import { isId, parseIdOrSlug } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { collectionIdBySlugSql } from '../../collections/visibility.ts';
import { parseNamedValues } from '../../shared/named-value-filter.ts';
import { type Entry, entries, parseEntryOwner } from '../model.ts';
import { isEntryVisibleSql } from '../visibility.ts';
import { entryCache } from './entry-cache.ts';
import type { EntryFilterConditions, ListEntriesArgs } from './filter-schemas.ts';
import { findSortBlock, orderEntriesByBlock } from './sort-by-block.ts';

export async function listEntries(ctx: Context, asked: ListEntriesArgs): Promise<Page<Entry>> {
  const { filter, sort = 'NEWEST' } = asked;
  if (sort === 'BLOCK' || sort === 'BLOCK_DESC') return listByBlock(ctx, asked);
  const { conditions, seen, ...rows } = rowsFor(ctx, asked);
  if (!filter && sort === 'NEWEST')
    return loadOwnedPage<CurrentVersion, Entry>(
      { db: contentReadDb(ctx.db), keys: ctx.keys },
      {
        owner: 'e.business_id',
        conditions: [seen, ...conditions.map(({ test }) => test)],
        isSelective: conditions.length > 0,
        ...rows,
      },
    );
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  return loadFilteredPage<CurrentVersion, Entry>(ctx, {
    owner: 'business_id',
    visibility: seen,
    conditions,
    order: parsePageOrder(sort, { UPDATED: { column: 'updated_at', type: 'bigint' } }, isDated),
    isSelective: asked.ids !== undefined,
    ...rows,
  });
}

async function listByBlock(ctx: Context, asked: ListEntriesArgs): Promise<Page<Entry>> {
  const sorted = await findSortBlock(ctx, asked);
  // Of what nobody may see there is nothing, in whatever order.
  if (!sorted) return listEntries(ctx, { ...asked, sort: 'OLDEST' });
  // Where both are said, both hold; otherwise the index that is walked is the collection already.
  const isBoth = asked.collectionId && asked.owner;
  const { params, ...rows } = rowsFor(
    ctx,
    isBoth ? asked : { ...asked, collectionId: undefined, owner: undefined },
  );
  return loadNullableSortPage<CurrentVersion, Entry>(ctx, {
    ...rows,
    ...orderEntriesByBlock(sorted, asked.sort === 'BLOCK_DESC', params),
    args: asked,
    params,
    owner: 'business_id',
    isSelective: asked.ids !== undefined,
  });
}

/** What all lists of entries have in common. */
function rowsFor(ctx: Context, asked: ListEntriesArgs) {
  const reader = permissionUserId(ctx.viewer, 'CONTENT_WRITE');
  return {
    list: `entries:${asked.businessId}`,
    args: asked,
    columns: entryCache.columns,
    table: entries.from,
    seen: isEntryVisibleSql('$1', '$2'),
    whenEmpty: () => assertBusinessExists(ctx, asked.businessId),
    toNodes: (current: readonly CurrentVersion[]) =>
      entryCache(contentReadDb(ctx.db)).loadPageRecords(asked.businessId, reader, current),
    ...narrowedTo(asked, reader),
  };
}

/** The entries of a collection that an answer shows. */
export const listCollectionEntries = createSiblingPageLoader<Context, CurrentVersion, Entry>(
  (ctx, collectionId) => {
    const reader = permissionUserId(ctx.viewer, 'CONTENT_WRITE');
    return {
      list: `entries-of:${collectionId}`,
      columns: entryCache.columnsIn('e.business_id'),
      table: entries.from,
      owner: 'e.collection_id',
      params: [collectionId, reader],
      conditions: [isEntryVisibleSql('e.business_id', '$2')],
      toNodes: (current) => entryCache(contentReadDb(ctx.db)).loadPageRecords(null, reader, current),
    };
  },
);

function narrowedTo(asked: ListEntriesArgs, reader: string | null) {
  const params: unknown[] = [isId(asked.businessId) ? asked.businessId : null, reader];
  const { conditions, add, between } = createConditionBuilder('e', params);
  const addCollection = (id: string) => {
    const address = parseIdOrSlug(asked.businessId, id);
    if (!address) conditions.push({ test: 'false' });
    else if (address.by === 'id') add(address.id, (param) => `e.collection_id = ${param}`);
    else add(address.slug, (param) => `e.collection_id = ${collectionIdBySlugSql('$1', param)}`);
  };
  add(asked.ids?.filter(isId), (param) => `e.id = any(${param}::uuid[])`);
  if (asked.collectionId) addCollection(asked.collectionId.replace(/^collection:/, ''));
  if (asked.owner) {
    const owner = parseEntryOwner(asked.owner);
    if (!owner) throw invalidOwner();
    if (owner.kind === 'collection') addCollection(owner.id);
    else add(asked.owner, (param) => `e.owner = ${param}`);
  }
  add(asked.locale || undefined, (param) => `e.locale = ${param}`);
  add(asked.status, (param) => `e.status = ${param}`);
  const { blocks, relatedTo, locales, ...dates }: EntryFilterConditions = asked.filter ?? {};
  add(locales, (param) => `e.locale = any(${param}::text[])`);
  for (const [block, values] of parseNamedValues(blocks)) {
    params.push(block);
    const named = `$${params.length}`;
    add(values, (param) => has(`v.block = ${named} and v.value = any(${param}::text[])`));
  }
  add(relatedTo?.toLowerCase(), (param) => has(`v.block = '${anyRelationship}' and v.value = ${param}`));
  between('created_at', dates.createdFrom, dates.createdTo);
  between('updated_at', dates.updatedFrom, dates.updatedTo);
  return { params, conditions };
}

/** Under this name `entry_values` has the targets of all relationships of an entry; no block can have it. */
const anyRelationship = '';

const has = (test: string) =>
  `exists (select 1 from entry_values v where v.business_id = $1 and v.entry_id = e.id and ${test})`;

const invalidOwner = () =>
  validationError({
    field: 'owner',
    error: 'INVALID_OWNER',
    message: 'Must be collection:<id>, order:<id> or reservation:<id>.',
  });
