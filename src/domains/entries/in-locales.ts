/** Entries as readers of some locales see them: each text in the first of these that has one. Pure. */
import { isObject } from '../../lib/objects.ts';
import type { Page } from '../../lib/paging.ts';
import { firstText } from '../blocks/text.ts';
import type { Entry } from './model.ts';
import type { FoundEntry } from './old-slugs.ts';

/** In which locale a block is shown; undefined when none of those asked for has a text. */
export interface BlockLocale {
  block: string;
  locale?: string | undefined;
}

export interface ReadEntry extends FoundEntry {
  /** Of blocks with texts by locale, when it was asked for in some. */
  blockLocales?: readonly BlockLocale[] | undefined;
}

/** Texts that are the same in every locale, and all other values, stay as they are. */
export function inLocales(entry: FoundEntry, locales: readonly string[] | undefined): ReadEntry {
  if (!locales?.length) return entry;
  const blockLocales: BlockLocale[] = [];
  const blocks = entry.blocks.map((block) => {
    if (block.type !== 'TEXT' || !isObject(block.value)) return block;
    const found = firstText(block.value, locales);
    blockLocales.push({ block: block.id, locale: found?.locale });
    return { ...block, value: found?.text ?? null };
  });
  return { ...entry, blocks, blockLocales };
}

export function pageInLocales(page: Page<Entry>, locales: readonly string[] | undefined): Page<Entry> {
  if (!locales?.length) return page;
  const sources = new Map(page.nodes.map((entry) => [inLocales(entry, locales) as Entry, entry]));
  return {
    ...page,
    nodes: [...sources.keys()],
    cursorOf: (node) => page.cursorOf(sources.get(node) ?? node),
  };
}
