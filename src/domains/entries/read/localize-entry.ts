/** Reduces localised texts of entries to the first requested locale that has a text. Pure. */
import { isPlainObject } from '../../../lib/json/plain-objects.ts';
import type { Page } from '../../../lib/paging.ts';
import { findFirstLocaleText } from '../../blocks/localized-text.ts';
import type { Entry } from '../model.ts';
import type { EntryWithRedirectToCurrentSlug } from '../slugs/find-entry-by-previous-slug.ts';

/** Locale selected for a block; `locale` is undefined when none of the requested locales has a text. */
export interface BlockLocale {
  block: string;
  locale?: string | undefined;
}

export interface LocalizedEntry extends EntryWithRedirectToCurrentSlug {
  /** One item per localised text block; undefined when no locales were requested. */
  blockLocales?: readonly BlockLocale[] | undefined;
}

/** Texts without locales and values of other types do not change. */
export function localizeEntry(
  entry: EntryWithRedirectToCurrentSlug,
  locales: readonly string[] | undefined,
): LocalizedEntry {
  if (!locales?.length) return entry;
  const blockLocales: BlockLocale[] = [];
  const blocks = entry.blocks.map((block) => {
    if (block.type !== 'TEXT' || !isPlainObject(block.value)) return block;
    const selected = findFirstLocaleText(block.value, locales);
    blockLocales.push({ block: block.id, locale: selected?.locale });
    return { ...block, value: selected?.text ?? null };
  });
  return { ...entry, blocks, blockLocales };
}

export function localizeEntryPage(page: Page<Entry>, locales: readonly string[] | undefined): Page<Entry> {
  if (!locales?.length) return page;
  const entryByNode = new Map(page.nodes.map((entry) => [localizeEntry(entry, locales) as Entry, entry]));
  return {
    ...page,
    nodes: [...entryByNode.keys()],
    cursorOf: (node) => page.cursorOf(entryByNode.get(node) ?? node),
  };
}
