/** How common words are, by the database's own statistics. They decide how a search goes about it, never what it finds. */
import type { Db } from '../../../db/handles.ts';

/** Of all rows the part that has a word of this beginning, roughly. */
export type EstimateFrequency = (word: string) => number;

export interface WordFrequencies {
  listings: EstimateFrequency;
  skus: EstimateFrequency;
}

/** Statistics are made anew once a tenth of the rows has changed: there is no hurry. */
const askedEveryMs = 300_000;
/** A word that is so many times rarer finds few rows of the other: it is quicker to look at them than at the list of the other. */
const rarer = 20;
/** A word in no more rows than these finds little even in a large shop. */
const few = 0.001;
/** Of a word that the statistics do not name, each letter makes it rarer, up to here. */
const maxTelling = 4;
/** Shorter lexemes are the beginning of words that have nothing to do with them. */
const minStem = 3;

/** Words that begin alike for so many letters are the same: a lexeme may have 2,000 of them, and as many beginnings. */
const maxBegun = 30;

/** Statistics hold stems where words are typed in any form: nearly always the stem is how the word begins. */
export function createFrequencyEstimate(
  frequencies: Iterable<readonly [lexeme: string, part: number]>,
): EstimateFrequency {
  const stems = new Map(frequencies);
  const begun = new Map<string, number>();
  for (const [lexeme, part] of stems)
    for (const beginning of beginnings(begin(lexeme), 1))
      begun.set(beginning, (begun.get(beginning) ?? 0) + part);
  return (word) => {
    const stem = word.replace(/y$/, 'i');
    const known = [begun.get(begin(word)) ?? 0, begun.get(begin(stem)) ?? 0];
    const stemmed = beginnings(stem, minStem).map((beginning) => stems.get(beginning) ?? 0);
    return Math.min(1, Math.max(...known, ...stemmed, 10 ** -Math.min(word.length, maxTelling)));
  };
}

const begin = (word: string) => word.slice(0, maxBegun);
const beginnings = (word: string, from: number) =>
  Array.from({ length: Math.max(0, word.length - from + 1) }, (_one, at) => word.slice(0, from + at));

/** The words to look for first, without those that are much more common. Undefined: no word finds little, as far as is known. */
export function selectRareWords(words: readonly string[], isCommon: EstimateFrequency): string[] | undefined {
  const parts = words.map(isCommon);
  const least = Math.min(...parts);
  const rare = words.filter((_word, at) => (parts[at] ?? 0) < least * rarer);
  return rare.length < words.length || least <= few ? rare : undefined;
}

interface Asked {
  at: number;
  answer: Promise<WordFrequencies | undefined>;
}

const known = new WeakMap<Db['recordCache'], Asked>();

/** Undefined: nothing is known. Who asks first waits for the answer; later it is renewed while everybody goes on with the last one. */
export function loadWordFrequencies(
  db: Pick<Db, 'shortRead' | 'recordCache' | 'embedded'>,
  now = performance.now(),
): Promise<WordFrequencies | undefined> | undefined {
  // It makes no statistics by itself.
  if (db.embedded) return undefined;
  const last = known.get(db.recordCache);
  if (last && now - last.at < askedEveryMs) return last.answer;
  const next = ask(db).catch(() => last?.answer);
  const answer = last?.answer ?? next;
  const asked = { at: now, answer };
  known.set(db.recordCache, asked);
  void next.then((told) => {
    asked.answer = Promise.resolve(told);
  });
  return answer;
}

const indexes = { listings: 'product_listings', skus: 'variants_sku_words_idx' };

async function ask(db: Pick<Db, 'shortRead'>): Promise<WordFrequencies | undefined> {
  const rows = await db.shortRead<{ name: string; lexeme: string; part: number }>(
    `select s.tablename as name, e.lexeme, e.part::float8 as part from pg_stats s,
       unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (lexeme, part)
     where s.schemaname = current_schema() and e.lexeme is not null
       and (s.tablename = '${indexes.listings}' and s.attname = 'search' or s.tablename = '${indexes.skus}')`,
  );
  if (rows.length === 0) return undefined;
  const of = (index: string) =>
    createFrequencyEstimate(
      rows.filter(({ name }) => name === index).map(({ lexeme, part }) => [lexeme, part]),
    );
  return { listings: of(indexes.listings), skus: of(indexes.skus) };
}
