/** Reads entries: one by id, slug or slug triple, or several by id. */

import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { contentOf } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { invalid } from '../../errors.ts';
import { addressIn } from '../../lib/ids.ts';
import { type Entry, entries } from './model.ts';
import { type FoundEntry, oldSlugs, redirected } from './old-slugs.ts';
import { bySlug } from './slugs.ts';
import { entryVersions } from './versions.ts';

/** The entry if the viewer may see it, also by a slug that it had. */
export async function findEntry(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<FoundEntry | undefined> {
  const address = addressIn(at.businessId, at.id);
  if (!address) return undefined;
  const { businessId } = at;
  const reader = permissionHolder(ctx.viewer, 'CONTENT_WRITE');
  const versions = entryVersions(contentOf(ctx.db));
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
): Promise<FoundEntry | undefined> {
  const known = await oldSlugs(contentOf(ctx.db), businessId, slug, locale);
  if (known.length === 0) return undefined;
  const entries = await loadEntries(
    ctx,
    businessId,
    known.map(({ entryId }) => entryId),
  );
  for (const old of known) {
    const entry = entries.get(old.entryId);
    if (entry) return redirected(entry, slug, locale ?? old.locale);
  }
  return undefined;
}

/** The entries among `ids` that the viewer may see, by id. */
export const loadEntries = (ctx: Context, businessId: string, ids: readonly string[]) =>
  entryVersions(contentOf(ctx.db)).load(businessId, permissionHolder(ctx.viewer, 'CONTENT_WRITE'), ids);

/** The same of whatever business. */
export const loadEntriesAnywhere = (ctx: Context, ids: readonly string[]) =>
  entryVersions(contentOf(ctx.db)).loadAnywhere(permissionHolder(ctx.viewer, 'CONTENT_WRITE'), ids);

/** Which of `ids` are entries of the business. */
export async function existingEntries(
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

const writable = bySlug('$2', '$3');

/** Reads an entry for writing: nobody else changes it before the transaction ends. */
export async function lockEntry(tx: Queries, businessId: string, id: string): Promise<Entry | undefined> {
  const address = addressIn(businessId, id);
  if (!address) return undefined;
  const rows =
    address.by === 'id'
      ? await tx.sql<Row>(
          `select ${entries.columns} from ${entries.from} where e.business_id = $1 and e.id = $2 for update`,
          [businessId, address.id],
        )
      : await tx.sql<Row>(
          `select ${entries.columns} from ${entries.from} where e.business_id = $1 and ${writable.condition} order by e.id limit 2 for update`,
          [businessId, address.slug, address.locale ?? null],
        );
  if (rows.length > 1)
    throw invalid({
      field: 'id',
      error: 'AMBIGUOUS_SLUG',
      message: 'Several entries have this slug. Name the one you mean by its id.',
    });
  return rows[0] && entries.read(rows[0]);
}
