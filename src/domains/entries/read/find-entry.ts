/** Finds one entry by id, slug or `<businessId>:<locale>:<slug>`, with a fallback to previous slugs. */
import type { Context } from '../../../context.ts';
import { selectContentReadDb } from '../../../db/index.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import {
  addRedirectToCurrentSlug,
  type EntryWithRedirectToCurrentSlug,
  findEntryIdsByPreviousSlug,
} from '../slugs/find-entry-by-previous-slug.ts';
import { entryCache } from './entry-cache.ts';
import { loadEntryMap } from './load-entries.ts';

/** Entry if the viewer may see it, by id, current slug or previous slug. */
export async function findEntry(
  ctx: Context,
  address: { businessId: string; id: string },
): Promise<EntryWithRedirectToCurrentSlug | undefined> {
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
): Promise<EntryWithRedirectToCurrentSlug | undefined> {
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
    if (entry) return addRedirectToCurrentSlug(entry, slug, locale ?? previous.locale);
  }
  return undefined;
}
