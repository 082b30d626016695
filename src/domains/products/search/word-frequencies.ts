/** Word frequencies from PostgreSQL's column statistics. They affect only the plan of a search, never its result. */
import type { Db } from '../../../db/index.ts';

/** Estimated fraction (0 to 1) of all rows that contain a word with this prefix. */
export type EstimateWordFrequency = (word: string) => number;

export interface WordFrequencyEstimators {
  listings: EstimateWordFrequency;
  skus: EstimateWordFrequency;
}

/** Reload interval, 5 minutes. Autovacuum recomputes statistics only after a tenth of the rows has changed. */
const reloadMs = 300_000;
/** A word is rare relative to another when it is at least this many times less frequent: filtering its rows is then faster than scanning the posting list of the other. */
const rarityFactor = 20;
/** A word in at most this fraction of the rows is selective even in a large catalogue. */
const selectiveFraction = 0.001;
/** Without statistics each letter of a word divides its estimate by 10, up to this many letters. */
const maxEstimateLetters = 4;
/** Minimum length of a lexeme that is treated as the stem of a word: shorter ones are prefixes of unrelated words. */
const minStemLength = 3;

/** Prefixes are compared up to this length: a lexeme may have 2,000 letters, and each prefix is a map entry. */
const maxPrefixLength = 30;

/** Statistics contain stems, searches contain inflected words. A word counts as a form of every lexeme that is its prefix, which is nearly always right. */
export function createWordFrequencyEstimator(
  frequencies: Iterable<readonly [lexeme: string, part: number]>,
): EstimateWordFrequency {
  const stems = new Map(frequencies);
  const frequencyByPrefix = new Map<string, number>();
  for (const [lexeme, frequency] of stems)
    for (const prefix of prefixesOf(prefixOf(lexeme), 1))
      frequencyByPrefix.set(prefix, (frequencyByPrefix.get(prefix) ?? 0) + frequency);
  return (word) => {
    const stem = word.replace(/y$/, 'i');
    const byPrefix = [frequencyByPrefix.get(prefixOf(word)) ?? 0, frequencyByPrefix.get(prefixOf(stem)) ?? 0];
    const byStem = prefixesOf(stem, minStemLength).map((prefix) => stems.get(prefix) ?? 0);
    return Math.min(1, Math.max(...byPrefix, ...byStem, 10 ** -Math.min(word.length, maxEstimateLetters)));
  };
}

const prefixOf = (word: string) => word.slice(0, maxPrefixLength);
const prefixesOf = (word: string, from: number) =>
  Array.from({ length: Math.max(0, word.length - from + 1) }, (_item, index) => word.slice(0, from + index));

/** Words to search the index for first, without the much more frequent ones. Undefined when no word is selective according to the statistics. */
export function selectRareWords(
  words: readonly string[],
  estimate: EstimateWordFrequency,
): string[] | undefined {
  const frequencies = words.map(estimate);
  const lowest = Math.min(...frequencies);
  const rare = words.filter((_word, index) => (frequencies[index] ?? 0) < lowest * rarityFactor);
  return rare.length < words.length || lowest <= selectiveFraction ? rare : undefined;
}

interface CachedLoad {
  loadedAt: number;
  frequencies: Promise<WordFrequencyEstimators | undefined>;
}

/** Last load per database. */
const lastLoads = new WeakMap<Db['recordCache'], CachedLoad>();

/** Undefined without statistics. The first call waits for the query; later reloads run in the background while callers use the last value. */
export function loadWordFrequencyEstimators(
  db: Pick<Db, 'shortRead' | 'recordCache' | 'embedded'>,
  now = performance.now(),
): Promise<WordFrequencyEstimators | undefined> | undefined {
  // PGlite has no autovacuum and so no statistics.
  if (db.embedded) return undefined;
  const last = lastLoads.get(db.recordCache);
  if (last && now - last.loadedAt < reloadMs) return last.frequencies;
  const next = queryWordFrequencies(db).catch(() => last?.frequencies);
  const frequencies = last?.frequencies ?? next;
  const load = { loadedAt: now, frequencies };
  lastLoads.set(db.recordCache, load);
  void next.then((loaded) => {
    load.frequencies = Promise.resolve(loaded);
  });
  return frequencies;
}

const indexes = { listings: 'product_listings', skus: 'variants_sku_words_idx' };

async function queryWordFrequencies(db: Pick<Db, 'shortRead'>): Promise<WordFrequencyEstimators | undefined> {
  const rows = await db.shortRead<{ name: string; lexeme: string; part: number }>(
    `select s.tablename as name, e.lexeme, e.part::float8 as part from pg_stats s,
       unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (lexeme, part)
     where s.schemaname = current_schema() and e.lexeme is not null
       and (s.tablename = '${indexes.listings}' and s.attname = 'search' or s.tablename = '${indexes.skus}')`,
  );
  if (rows.length === 0) return undefined;
  const estimateFor = (index: string) =>
    createWordFrequencyEstimator(
      rows.filter(({ name }) => name === index).map(({ lexeme, part: frequency }) => [lexeme, frequency]),
    );
  return { listings: estimateFor(indexes.listings), skus: estimateFor(indexes.skus) };
}
