/** Finds entries by previous slugs, which a database trigger stores in `entry_old_slugs` (prisma/migrations). */
import type { QueryHandle } from '../../../db/index.ts';
import { findTextInLocale } from '../../blocks/localized-text.ts';
import type { Entry } from '../model.ts';

/** Redirect from a previous slug to the current one. */
export interface RedirectToCurrentSlug {
  from: string;
  /** Undefined when the entry no longer has a slug. */
  to?: string | undefined;
}

/** Entry with the redirect of the request, if it used a previous slug. */
export interface EntryWithRedirectToCurrentSlug extends Entry {
  redirect?: RedirectToCurrentSlug | undefined;
}

interface PreviousSlug {
  entryId: string;
  /** Empty when the slug applied to every locale. */
  locale: string;
}

const statement = `select o.entry_id as "entryId", o.locale from entry_old_slugs o
  where o.business_id = $1 and o.slug = $2 and ($3::text is null or o.locale in ('', $3))
  order by o.replaced_at desc, o.entry_id desc limit 20`;

/** Entries that had the slug, most recently replaced first, at most 20. */
export const findEntryIdsByPreviousSlug = (
  queries: QueryHandle,
  businessId: string,
  slug: string,
  locale: string | undefined,
): Promise<PreviousSlug[]> => queries.sql<PreviousSlug>(statement, [businessId, slug, locale ?? null]);

/** Adds the redirect to the current slug in the locale of the previous one. */
export function addRedirectToCurrentSlug(
  entry: Entry,
  from: string,
  locale: string | undefined,
): EntryWithRedirectToCurrentSlug {
  const value = entry.blocks.find(({ id }) => id === 'slug')?.value;
  return {
    ...entry,
    redirect: { from, to: findTextInLocale(value, locale || entry.locale, entry.locale) || undefined },
  };
}
