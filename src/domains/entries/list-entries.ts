/** Lists the entries a viewer may see. */

import { expectBusiness } from '../../auth/expect-business.ts';
import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { filteredPage, gatherConditions, orderOf } from '../../db/filtered-page.ts';
import { ownedPage } from '../../db/owned-page.ts';
import { siblingPages } from '../../db/sibling-pages.ts';
import { contentOf } from '../../db/sql.ts';
import { valuedPage } from '../../db/valued-page.ts';
import type { Current } from '../../db/versions.ts';
import { invalid } from '../../errors.ts';
import { addressIn, isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { idBySlug } from '../collections/visibility.ts';
import { namedValues } from '../shared/named-values.ts';
import { orderByBlock, sortedBlock } from './by-block.ts';
import type { EntryFilter, EntryNarrowing } from './find-checks.ts';
import { type Entry, entries, parseOwner } from './model.ts';
import { entryVersions } from './versions.ts';
import { isVisible } from './visibility.ts';

export async function listEntries(ctx: Context, asked: EntryFilter): Promise<Page<Entry>> {
  const { filter, sort = 'NEWEST' } = asked;
  if (sort === 'BLOCK' || sort === 'BLOCK_DESC') return listByBlock(ctx, asked);
  const { conditions, seen, ...rows } = rowsFor(ctx, asked);
  if (!filter && sort === 'NEWEST')
    return ownedPage<Current, Entry>(
      { db: contentOf(ctx.db), keys: ctx.keys },
      {
        owner: 'e.business_id',
        conditions: [seen, ...conditions.map(({ test }) => test)],
        narrowed: conditions.length > 0,
        ...rows,
      },
    );
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  return filteredPage<Current, Entry>(ctx, {
    owner: 'business_id',
    seen,
    conditions,
    order: orderOf(sort, { UPDATED: { column: 'updated_at', type: 'bigint' } }, isDated),
    isNarrow: asked.ids !== undefined,
    ...rows,
  });
}

async function listByBlock(ctx: Context, asked: EntryFilter): Promise<Page<Entry>> {
  const sorted = await sortedBlock(ctx, asked);
  // Of what nobody may see there is nothing, in whatever order.
  if (!sorted) return listEntries(ctx, { ...asked, sort: 'OLDEST' });
  // Where both are said, both hold; otherwise the index that is walked is the collection already.
  const isBoth = asked.collectionId && asked.owner;
  const { params, ...rows } = rowsFor(
    ctx,
    isBoth ? asked : { ...asked, collectionId: undefined, owner: undefined },
  );
  return valuedPage<Current, Entry>(ctx, {
    ...rows,
    ...orderByBlock(sorted, asked.sort === 'BLOCK_DESC', params),
    args: asked,
    params,
    owner: 'business_id',
    isNarrow: asked.ids !== undefined,
  });
}

/** What all lists of entries have in common. */
function rowsFor(ctx: Context, asked: EntryFilter) {
  const reader = permissionHolder(ctx.viewer, 'CONTENT_WRITE');
  return {
    list: `entries:${asked.businessId}`,
    args: asked,
    columns: entryVersions.columns,
    table: entries.from,
    seen: isVisible('$1', '$2'),
    whenEmpty: () => expectBusiness(ctx, asked.businessId),
    toNodes: (current: readonly Current[]) =>
      entryVersions(contentOf(ctx.db)).all(asked.businessId, reader, current),
    ...narrowedTo(asked, reader),
  };
}

/** The entries of a collection that an answer shows. */
export const entriesOf = siblingPages<Context, Current, Entry>((ctx, collectionId) => {
  const reader = permissionHolder(ctx.viewer, 'CONTENT_WRITE');
  return {
    list: `entries-of:${collectionId}`,
    columns: entryVersions.columnsIn('e.business_id'),
    table: entries.from,
    owner: 'e.collection_id',
    params: [collectionId, reader],
    conditions: [isVisible('e.business_id', '$2')],
    toNodes: (current) => entryVersions(contentOf(ctx.db)).all(null, reader, current),
  };
});

function narrowedTo(asked: EntryFilter, reader: string | null) {
  const params: unknown[] = [isId(asked.businessId) ? asked.businessId : null, reader];
  const { conditions, add, between } = gatherConditions('e', params);
  const addCollection = (id: string) => {
    const address = addressIn(asked.businessId, id);
    if (!address) conditions.push({ test: 'false' });
    else if (address.by === 'id') add(address.id, (param) => `e.collection_id = ${param}`);
    else add(address.slug, (param) => `e.collection_id = ${idBySlug('$1', param)}`);
  };
  add(asked.ids?.filter(isId), (param) => `e.id = any(${param}::uuid[])`);
  if (asked.collectionId) addCollection(asked.collectionId.replace(/^collection:/, ''));
  if (asked.owner) {
    const owner = parseOwner(asked.owner);
    if (!owner) throw invalidOwner();
    if (owner.kind === 'collection') addCollection(owner.id);
    else add(asked.owner, (param) => `e.owner = ${param}`);
  }
  add(asked.locale || undefined, (param) => `e.locale = ${param}`);
  add(asked.status, (param) => `e.status = ${param}`);
  const { blocks, relatedTo, locales, ...dates }: EntryNarrowing = asked.filter ?? {};
  add(locales, (param) => `e.locale = any(${param}::text[])`);
  for (const [block, values] of namedValues(blocks)) {
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
  invalid({
    field: 'owner',
    error: 'INVALID_OWNER',
    message: 'Must be collection:<id>, order:<id> or reservation:<id>.',
  });
