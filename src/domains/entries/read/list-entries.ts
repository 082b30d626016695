/** Lists the entries that the viewer may see, filtered, sorted and paginated. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import {
  createSiblingPageLoader,
  createSqlConditionBuilder,
  defineCachedPageRecordSource,
  defineCachedSiblingPageRecordSource,
  loadFilteredPage,
  loadNullableSortPage,
  loadOwnedPage,
  parsePageOrder,
  selectContentReadDb,
} from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import { isId, parseIdOrSlug } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { buildCollectionIdBySlugExpressionSql } from '../../collections/visibility-sql.ts';
import { parseNamedValues } from '../../shared/named-value-filter.ts';
import { type Entry, parseEntryOwner } from '../model.ts';
import { buildEntryVisibilityConditionSql } from '../visibility-sql.ts';
import { entryCache } from './entry-cache.ts';
import type { EntryFilterFields, ListEntriesArgs } from './filter-schemas.ts';
import { buildEntryBlockSortSources, findEntrySortBlock } from './sort-by-block.ts';

export async function listEntries(ctx: Context, args: ListEntriesArgs): Promise<Page<Entry>> {
  const { filter, sort = 'NEWEST' } = args;
  if (sort === 'BLOCK' || sort === 'BLOCK_DESC') return listByBlock(ctx, args);
  const { conditions, visibility, ...options } = pageOptions(ctx, args);
  if (!filter && sort === 'NEWEST')
    return loadOwnedPage(
      { db: selectContentReadDb(ctx.db), keys: ctx.keys },
      {
        owner: 'e.business_id',
        conditions: [visibility, ...conditions.map(({ test }) => test)],
        isSelective: conditions.length > 0,
        ...options,
      },
    );
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  return loadFilteredPage(ctx, {
    owner: 'business_id',
    visibility,
    conditions,
    order: parsePageOrder(sort, { UPDATED: { column: 'updated_at', type: 'bigint' } }, isDated),
    isSelective: args.ids !== undefined,
    ...options,
  });
}

async function listByBlock(ctx: Context, args: ListEntriesArgs): Promise<Page<Entry>> {
  const sortBlock = await findEntrySortBlock(ctx, args);
  // The viewer may not see the collection: the ordinary list applies the same visibility and returns an empty page.
  if (!sortBlock) return listEntries(ctx, { ...args, sort: 'OLDEST' });
  // The sort index is already limited to the collection. The conditions are needed only when both arguments are given, which must both match.
  const hasCollectionAndOwner = args.collectionId && args.owner;
  const { params, ...options } = pageOptions(
    ctx,
    hasCollectionAndOwner ? args : { ...args, collectionId: undefined, owner: undefined },
  );
  return loadNullableSortPage(ctx, {
    ...options,
    ...buildEntryBlockSortSources(sortBlock, args.sort === 'BLOCK_DESC', params),
    args,
    params,
    owner: 'business_id',
    isSelective: args.ids !== undefined,
  });
}

/** Page options shared by all sort orders. */
function pageOptions(ctx: Context, args: ListEntriesArgs) {
  const reader = ctx.viewer.userIdForPermissionSql('CONTENT_WRITE');
  return {
    records: entryRecords,
    list: `entries:${args.businessId}`,
    args,
    visibility: buildEntryVisibilityConditionSql('$1', '$2'),
    whenEmpty: () => assertBusinessExists(ctx, args.businessId),
    ...buildConditions(args, reader),
  };
}

/** Parameters: business, reader, and those of the filter. */
const entryRecords = defineCachedPageRecordSource(entryCache);

/** Parameters: collection and reader. */
const collectionEntryRecords = defineCachedSiblingPageRecordSource(entryCache, 'e.business_id');

/** Pages of entries for `Collection.entries`, batched over all collections of a response. */
export const listCollectionEntries = createSiblingPageLoader(
  collectionEntryRecords,
  (ctx: Context, collectionId) => ({
    list: `entries-of:${collectionId}`,
    owner: 'e.collection_id',
    params: [collectionId, ctx.viewer.userIdForPermissionSql('CONTENT_WRITE')] as const,
    conditions: [buildEntryVisibilityConditionSql('e.business_id', '$2')],
  }),
);

function buildConditions(args: ListEntriesArgs, reader: string | null) {
  const params: [string | null, string | null, ...unknown[]] = [
    isId(args.businessId) ? args.businessId : null,
    reader,
  ];
  const { conditions, add, between } = createSqlConditionBuilder('e', params);
  const addCollection = (id: string) => {
    const address = parseIdOrSlug(args.businessId, id);
    if (!address) conditions.push({ test: 'false' });
    else if (address.by === 'id') add(address.id, (param) => `e.collection_id = ${param}`);
    else
      add(address.slug, (param) => `e.collection_id = ${buildCollectionIdBySlugExpressionSql('$1', param)}`);
  };
  add(args.ids?.filter(isId), (param) => `e.id = any(${param}::uuid[])`);
  if (args.collectionId) addCollection(args.collectionId.replace(/^collection:/, ''));
  if (args.owner) {
    const owner = parseEntryOwner(args.owner);
    if (!owner) throw invalidOwnerError();
    if (owner.kind === 'collection') addCollection(owner.id);
    else add(args.owner, (param) => `e.owner = ${param}`);
  }
  add(args.locale || undefined, (param) => `e.locale = ${param}`);
  add(args.status, (param) => `e.status = ${param}`);
  const { blocks, relatedTo, locales, ...dates }: EntryFilterFields = args.filter ?? {};
  add(locales, (param) => `e.locale = any(${param}::text[])`);
  for (const [block, values] of parseNamedValues(blocks)) {
    params.push(block);
    const blockParam = `$${params.length}`;
    add(values, (param) => hasValueSql(`v.block = ${blockParam} and v.value = any(${param}::text[])`));
  }
  add(relatedTo?.toLowerCase(), (param) =>
    hasValueSql(`v.block = '${anyRelationship}' and v.value = ${param}`),
  );
  between('created_at', dates.createdFrom, dates.createdTo);
  between('updated_at', dates.updatedFrom, dates.updatedTo);
  return { params, conditions };
}

/** Block id under which `entry_values` stores the targets of all relationships of an entry. No block can have an empty id. */
const anyRelationship = '';

const hasValueSql = (test: string) =>
  `exists (select 1 from entry_values v where v.business_id = $1 and v.entry_id = e.id and ${test})`;

const invalidOwnerError = () =>
  validationError('owner', 'INVALID_OWNER', 'Must be collection:<id>, order:<id> or reservation:<id>.');
