/** Slug of a duplicated entry: the original slug with a suffix that is unused in the business. */
import type { QueryHandle } from '../../../db/index.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import type { Entry } from '../model.ts';

const maxSuffixes = 100;
const suffixOf = (number: number) => (number === 1 ? '-copy' : `-copy-${number}`);

/** Maximum number of candidate slugs per query. */
const maxCandidatesPerQuery = 1000;
/** Maximum slug length in characters: longer texts are not checked, as they are not stored as previous slugs either. */
const maxSlugLength = 200;

/** Blocks of the entry with a new slug, if it has one. Concurrent copies may get the same suffix, because slugs need not be unique. */
export async function copyBlocksWithFreeSlug(
  queries: QueryHandle,
  { businessId, blocks }: Entry,
): Promise<ValueBlock[]> {
  const texts = textsOf(blocks.find(({ id }) => id === 'slug')?.value);
  if (texts.length === 0) return [...blocks];
  const slugs = [...new Set(texts)].filter(({ length }) => length <= maxSlugLength);
  const suffix = await findFreeSuffix(queries, businessId, slugs);
  return blocks.map((block) =>
    block.id === 'slug' ? { ...block, value: appendSuffix(block.value, suffix) } : block,
  );
}

/** First suffix that is unused for all slugs in the business. Checked in batches, because one of the first suffixes is usually free. */
async function findFreeSuffix(
  queries: QueryHandle,
  businessId: string,
  slugs: readonly string[],
): Promise<string> {
  const batchSize = Math.max(1, Math.floor(maxCandidatesPerQuery / Math.max(1, slugs.length)));
  for (let first = 1; first <= maxSuffixes; first += batchSize) {
    const suffixes = Array.from({ length: Math.min(batchSize, maxSuffixes - first + 1) }, (_none, index) =>
      suffixOf(first + index),
    );
    const rows = await queries.sql<{ slugs: string[] }>(
      'select e.slugs from entries e where e.business_id = $1 and e.slugs ?| $2::text[]',
      [businessId, slugs.flatMap((slug) => suffixes.map((suffix) => `${slug}${suffix}`))],
    );
    const usedSlugs = new Set(rows.flatMap((row) => row.slugs));
    const freeSuffix = suffixes.find((suffix) => slugs.every((slug) => !usedSlugs.has(`${slug}${suffix}`)));
    if (freeSuffix !== undefined) return freeSuffix;
  }
  return suffixOf(maxSuffixes + 1);
}

const textsOf = (value: unknown): string[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );

const appendSuffix = (value: unknown, suffix: string): unknown =>
  typeof value === 'string'
    ? value && `${value}${suffix}`
    : Object.fromEntries(
        Object.entries(value ?? {}).map(([locale, text]) => [locale, appendSuffix(text, suffix)]),
      );
