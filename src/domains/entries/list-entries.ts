/** Lists the entries a viewer may see, newest first. */

import { expectBusiness } from '../../auth/expect-business.ts';
import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import { siblingPages } from '../../db/sibling-pages.ts';
import type { Current } from '../../db/versions.ts';
import { invalid } from '../../errors.ts';
import { isId, parseAddress } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { idBySlug } from '../collections/visibility.ts';
import type { EntryFilter } from './checks.ts';
import { type Entry, entries, parseOwner } from './model.ts';
import { entryVersions } from './versions.ts';
import { isVisible } from './visibility.ts';

export async function listEntries(ctx: Context, filter: EntryFilter): Promise<Page<Entry>> {
  return ownedPage<Current, Entry>(ctx, {
    ...conditionsOf(ctx, filter),
    list: `entries:${filter.businessId}`,
    args: filter,
    columns: entryVersions.columns,
    table: entries.from,
    owner: 'e.business_id',
    whenEmpty: () => expectBusiness(ctx, filter.businessId),
    toNodes: (current) =>
      entryVersions(ctx.db).all(filter.businessId, permissionHolder(ctx.viewer, 'CONTENT_WRITE'), current),
  });
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
    toNodes: (current) => entryVersions(ctx.db).all(null, reader, current),
  };
});

/** Only the filters that are asked for become SQL, so that each combination has its own plan. */
function conditionsOf(ctx: Context, filter: EntryFilter) {
  const params: unknown[] = [
    isId(filter.businessId) ? filter.businessId : null,
    permissionHolder(ctx.viewer, 'CONTENT_WRITE'),
  ];
  const conditions = [isVisible('$1', '$2')];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  const addCollection = (id: string) => {
    const address = parseAddress(id);
    if (address.by === 'id') add(address.id, (param) => `e.collection_id = ${param}`);
    else add(address.slug, (param) => `e.collection_id = ${idBySlug('$1', param)}`);
  };
  if (filter.ids) add(filter.ids.filter(isId), (param) => `e.id = any(${param}::uuid[])`);
  if (filter.collectionId) addCollection(filter.collectionId.replace(/^collection:/, ''));
  if (filter.owner) {
    const owner = parseOwner(filter.owner);
    if (!owner) throw invalidOwner();
    if (owner.kind === 'collection') addCollection(owner.id);
    else add(filter.owner, (param) => `e.owner = ${param}`);
  }
  if (filter.locale) add(filter.locale, (param) => `e.locale = ${param}`);
  if (filter.status) add(filter.status, (param) => `e.status = ${param}`);
  return { conditions, params, narrowed: conditions.length > 1 };
}

const invalidOwner = () =>
  invalid({
    field: 'owner',
    error: 'INVALID_OWNER',
    message: 'Must be collection:<id>, order:<id> or reservation:<id>.',
  });
