/** Reads entries: one by id, slug or slug triple, or several by id. */

import { permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { contentReadDb } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { validationError } from '../../../errors.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Entry, entries } from '../model.ts';
import { entrySlugLookup } from '../slugs/slug-lookup.ts';
import { type EntryWithRedirect, findPreviousSlugs, withSlugRedirect } from '../slugs/slug-redirects.ts';
import { entryCache } from './entry-cache.ts';

/** The entry if the viewer may see it, also by a slug that it had. */
export async function findEntry(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<EntryWithRedirect | undefined> {
  const address = parseIdOrSlug(at.businessId, at.id);
  if (!address) return undefined;
  const { businessId } = at;
  const reader = permissionUserId(ctx.viewer, 'CONTENT_WRITE');
  const versions = entryCache(contentReadDb(ctx.db));
  if (address.by === 'id') return versions.find('id', { businessId, key: address.id, reader });
  const { slug, locale } = address;
  const found = await versions.find('slug', { businessId, key: slug, locale, reader });
  return found ?? findByOldSlug(ctx, at.businessId, address);
}

/** Only for a slug that no entry has which the viewer may see: whoever takes it over comes first. */
async function findByOldSlug(
  ctx: Context,
  businessId: string,
  { slug, locale }: { slug: string; locale?: string },
): Promise<EntryWithRedirect | undefined> {
  const known = await findPreviousSlugs(contentReadDb(ctx.db), businessId, slug, locale);
  if (known.length === 0) return undefined;
  const entries = await loadEntries(
    ctx,
    businessId,
    known.map(({ entryId }) => entryId),
  );
  for (const old of known) {
    const entry = entries.get(old.entryId);
    if (entry) return withSlugRedirect(entry, slug, locale ?? old.locale);
  }
  return undefined;
}

/** The entries among `ids` that the viewer may see, by id. */
export const loadEntries = (ctx: Context, businessId: string, ids: readonly string[]) =>
  entryCache(contentReadDb(ctx.db)).loadByIds(businessId, permissionUserId(ctx.viewer, 'CONTENT_WRITE'), ids);

/** The same of whatever business. */
export const loadVisibleEntries = (ctx: Context, ids: readonly string[]) =>
  entryCache(contentReadDb(ctx.db)).loadByIdsOfAnyBusiness(
    permissionUserId(ctx.viewer, 'CONTENT_WRITE'),
    ids,
  );

/** Which of `ids` are entries of the business. */
export async function findExistingEntryIds(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from entries where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

const writable = entrySlugLookup('$2', '$3');

/** Reads an entry for writing: nobody else changes it before the transaction ends. */
export async function lockEntry(tx: Queries, businessId: string, id: string): Promise<Entry | undefined> {
  const address = parseIdOrSlug(businessId, id);
  if (!address) return undefined;
  const rows =
    address.by === 'id'
      ? await tx.sql<TableRow>(
          `select ${entries.columns} from ${entries.from} where e.business_id = $1 and e.id = $2 for update`,
          [businessId, address.id],
        )
      : await tx.sql<TableRow>(
          `select ${entries.columns} from ${entries.from} where e.business_id = $1 and ${writable.condition} order by e.id limit 2 for update`,
          [businessId, address.slug, address.locale ?? null],
        );
  if (rows.length > 1)
    throw validationError({
      field: 'id',
      error: 'AMBIGUOUS_SLUG',
      message: 'Several entries have this slug. Name the one you mean by its id.',
    });
  return rows[0] && entries.read(rows[0]);
}
