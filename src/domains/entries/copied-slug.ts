/** The slug of a copy: that of the original with an end that is free in the business. */
import type { Queries } from '../../db/sql.ts';
import type { ValueBlock } from '../blocks/schema.ts';
import type { Entry } from './model.ts';

const tries = 100;
const endOf = (number: number) => (number === 1 ? '-copy' : `-copy-${number}`);

/** The blocks of an entry, with another slug if it has one. Who copies at the same moment may get the same end: slugs may be shared. */
export async function freeCopy(queries: Queries, { businessId, blocks }: Entry): Promise<ValueBlock[]> {
  const slugs = textsOf(blocks.find(({ id }) => id === 'slug')?.value);
  if (slugs.length === 0) return [...blocks];
  const ends = Array.from({ length: tries }, (_none, index) => endOf(index + 1));
  const rows = await queries.sql<{ slugs: string[] }>(
    'select e.slugs from entries e where e.business_id = $1 and e.slugs ?| $2::text[]',
    [businessId, slugs.flatMap((slug) => ends.map((end) => `${slug}${end}`))],
  );
  const taken = new Set(rows.flatMap((row) => row.slugs));
  const end = ends.find((one) => slugs.every((slug) => !taken.has(`${slug}${one}`))) ?? endOf(tries + 1);
  return blocks.map((block) =>
    block.id === 'slug' ? { ...block, value: withEnd(block.value, end) } : block,
  );
}

const textsOf = (value: unknown): string[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );

const withEnd = (value: unknown, end: string): unknown =>
  typeof value === 'string'
    ? value && `${value}${end}`
    : Object.fromEntries(Object.entries(value ?? {}).map(([locale, text]) => [locale, withEnd(text, end)]));
