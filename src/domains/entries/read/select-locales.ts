/** Entries as readers of some locales see them: each text in the first of these that has one. Pure. */
import { isPlainObject } from '../../../lib/json/plain-objects.ts';
import type { Page } from '../../../lib/paging.ts';
import { findFirstLocaleText } from '../../blocks/localised-text.ts';
import type { Entry } from '../model.ts';
import type { EntryWithRedirect } from '../slugs/slug-redirects.ts';

/** In which locale a block is shown; undefined when none of those asked for has a text. */
export interface BlockLocale {
  block: string;
  locale?: string | undefined;
}

export interface LocalisedEntry extends EntryWithRedirect {
  /** Of blocks with texts by locale, when it was asked for in some. */
  blockLocales?: readonly BlockLocale[] | undefined;
}

/** Texts that are the same in every locale, and all other values, stay as they are. */
export function selectLocales(
  entry: EntryWithRedirect,
  locales: readonly string[] | undefined,
): LocalisedEntry {
  if (!locales?.length) return entry;
  const blockLocales: BlockLocale[] = [];
  const blocks = entry.blocks.map((block) => {
    if (block.type !== 'TEXT' || !isPlainObject(block.value)) return block;
    const found = findFirstLocaleText(block.value, locales);
    blockLocales.push({ block: block.id, locale: found?.locale });
    return { ...block, value: found?.text ?? null };
  });
  return { ...entry, blocks, blockLocales };
}

export function selectPageLocales(page: Page<Entry>, locales: readonly string[] | undefined): Page<Entry> {
  if (!locales?.length) return page;
  const sources = new Map(page.nodes.map((entry) => [selectLocales(entry, locales) as Entry, entry]));
  return {
    ...page,
    nodes: [...sources.keys()],
    cursorOf: (node) => page.cursorOf(sources.get(node) ?? node),
  };
}
