/** Finds entries by slugs that they had: a trigger remembers those (prisma/migrations). */
import type { Queries } from '../../../db/handles.ts';
import { textInLocale } from '../../blocks/localised-text.ts';
import type { Entry } from '../model.ts';

/** Where an old slug leads. */
export interface SlugRedirect {
  from: string;
  /** Undefined when the entry has no slug any more. */
  to?: string | undefined;
}

/** An entry as somebody asked for it. */
export interface EntryWithRedirect extends Entry {
  redirect?: SlugRedirect | undefined;
}

interface OldSlug {
  entryId: string;
  /** Empty: it was the slug in every locale. */
  locale: string;
}

const statement = `select o.entry_id as "entryId", o.locale from entry_old_slugs o
  where o.business_id = $1 and o.slug = $2 and ($3::text is null or o.locale in ('', $3))
  order by o.replaced_at desc, o.entry_id desc limit 20`;

/** Those who lost it last come first. */
export const findPreviousSlugs = (
  queries: Queries,
  businessId: string,
  slug: string,
  locale: string | undefined,
): Promise<OldSlug[]> => queries.sql<OldSlug>(statement, [businessId, slug, locale ?? null]);

/** The entry, with the slug it has today where it had the old one. */
export function withSlugRedirect(entry: Entry, from: string, locale: string | undefined): EntryWithRedirect {
  const value = entry.blocks.find(({ id }) => id === 'slug')?.value;
  return {
    ...entry,
    redirect: { from, to: textInLocale(value, locale || entry.locale, entry.locale) || undefined },
  };
}
