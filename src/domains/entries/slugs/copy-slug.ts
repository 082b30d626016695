/** The slug of a copy: that of the original with an end that is free in the business. */
import type { Queries } from '../../../db/handles.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import type { Entry } from '../model.ts';

const tries = 100;
const endOf = (number: number) => (number === 1 ? '-copy' : `-copy-${number}`);

/** So many addresses are asked for at a time. */
const mostAsked = 1000;
/** Longer texts are no addresses: they are not remembered either when they change. */
const maxAddress = 200;

/** The blocks of an entry, with another slug if it has one. Who copies at the same moment may get the same end: slugs may be shared. */
export async function copyBlocksWithFreeSlug(
  queries: Queries,
  { businessId, blocks }: Entry,
): Promise<ValueBlock[]> {
  const texts = textsOf(blocks.find(({ id }) => id === 'slug')?.value);
  if (texts.length === 0) return [...blocks];
  const slugs = [...new Set(texts)].filter(({ length }) => length <= maxAddress);
  const end = await freeEnd(queries, businessId, slugs);
  return blocks.map((block) =>
    block.id === 'slug' ? { ...block, value: withEnd(block.value, end) } : block,
  );
}

/** The first end that none of the slugs has in the business: mostly the first of all, so few are asked for at once. */
async function freeEnd(queries: Queries, businessId: string, slugs: readonly string[]): Promise<string> {
  const step = Math.max(1, Math.floor(mostAsked / Math.max(1, slugs.length)));
  for (let first = 1; first <= tries; first += step) {
    const ends = Array.from({ length: Math.min(step, tries - first + 1) }, (_none, index) =>
      endOf(first + index),
    );
    const rows = await queries.sql<{ slugs: string[] }>(
      'select e.slugs from entries e where e.business_id = $1 and e.slugs ?| $2::text[]',
      [businessId, slugs.flatMap((slug) => ends.map((end) => `${slug}${end}`))],
    );
    const taken = new Set(rows.flatMap((row) => row.slugs));
    const free = ends.find((end) => slugs.every((slug) => !taken.has(`${slug}${end}`)));
    if (free !== undefined) return free;
  }
  return endOf(tries + 1);
}

const textsOf = (value: unknown): string[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );

const withEnd = (value: unknown, end: string): unknown =>
  typeof value === 'string'
    ? value && `${value}${end}`
    : Object.fromEntries(Object.entries(value ?? {}).map(([locale, text]) => [locale, withEnd(text, end)]));
