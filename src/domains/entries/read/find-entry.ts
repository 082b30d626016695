/** Finds entries by id, slug or `<businessId>:<locale>:<slug>`, loads batches by id, and locks an entry for writing. */

import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb, type TableRow } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Entry, entryTable } from '../model.ts';
import { buildEntrySlugLookupSql } from '../slugs/slug-lookup.ts';
import {
  type EntryWithSlugRedirect,
  findEntryIdsByPreviousSlug,
  withSlugRedirect,
} from '../slugs/slug-redirects.ts';
import { entryCache } from './entry-cache.ts';

/** Entry if the viewer may see it, by id, current slug or previous slug. */
export async function findEntry(
  ctx: Context,
  address: { businessId: string; id: string },
): Promise<EntryWithSlugRedirect | undefined> {
  const idOrSlug = parseIdOrSlug(address.businessId, address.id);
  if (!idOrSlug) return undefined;
  const { businessId } = address;
  const reader = ctx.viewer.userIdForPermissionSql('CONTENT_WRITE');
  const cache = entryCache(selectContentReadDb(ctx.db));
  if (idOrSlug.by === 'id') return cache.find('id', { businessId, key: idOrSlug.id, reader });
  const { slug, locale } = idOrSlug;
  const entry = await cache.find('slug', { businessId, key: slug, locale, reader });
  return entry ?? findByPreviousSlug(ctx, address.businessId, idOrSlug);
}

/** Called only when no entry visible to the viewer has this current slug: a current slug takes precedence over a previous one. */
async function findByPreviousSlug(
  ctx: Context,
  businessId: string,
  { slug, locale }: { slug: string; locale?: string },
): Promise<EntryWithSlugRedirect | undefined> {
  const previousSlugs = await findEntryIdsByPreviousSlug(
    selectContentReadDb(ctx.db),
    businessId,
    slug,
    locale,
  );
  if (previousSlugs.length === 0) return undefined;
  const entriesById = await loadEntryMap(
    ctx,
    businessId,
    previousSlugs.map(({ entryId }) => entryId),
  );
  for (const previous of previousSlugs) {
    const entry = entriesById.get(previous.entryId);
    if (entry) return withSlugRedirect(entry, slug, locale ?? previous.locale);
  }
  return undefined;
}

/** Entries of one business among `ids` that the viewer may see, by id. */
export const loadEntryMap = (ctx: Context, businessId: string, ids: readonly string[]) =>
  entryCache(selectContentReadDb(ctx.db)).loadByIds(
    businessId,
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
    ids,
  );

/** Like `loadEntryMap`, across all businesses. */
export const loadVisibleEntries = (ctx: Context, ids: readonly string[]) =>
  entryCache(selectContentReadDb(ctx.db)).loadByIdsOfAnyBusiness(
    ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
    ids,
  );

/** Subset of `ids` that are entries of the business. */
export async function findExistingEntryIds(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from entries where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

const slugLookup = buildEntrySlugLookupSql('$2', '$3');

/** Reads an entry with `for update`: the row stays locked until the transaction ends. */
export async function lockEntry(tx: QueryHandle, businessId: string, id: string): Promise<Entry | undefined> {
  const idOrSlug = parseIdOrSlug(businessId, id);
  if (!idOrSlug) return undefined;
  const rows =
    idOrSlug.by === 'id'
      ? await tx.sql<TableRow>(
          `select ${entryTable.columns} from ${entryTable.from} where e.business_id = $1 and e.id = $2 for update`,
          [businessId, idOrSlug.id],
        )
      : await tx.sql<TableRow>(
          `select ${entryTable.columns} from ${entryTable.from} where e.business_id = $1 and ${slugLookup.condition} order by e.id limit 2 for update`,
          [businessId, idOrSlug.slug, idOrSlug.locale ?? null],
        );
  if (rows.length > 1)
    throw validationError(
      'id',
      'AMBIGUOUS_SLUG',
      'Several entries have this slug. Use the id of the entry instead.',
    );
  return rows[0] && entryTable.read(rows[0]);
}
