/** Search in products: whole words and their beginnings in any form, SKUs, and words that were mistyped. */
import type { Db } from '../../../db/handles.ts';
import { hasTrigramSupport } from '../../../db/pg-trgm-support.ts';
import {
  type EstimateFrequency,
  loadWordFrequencies,
  selectRareWords,
  type WordFrequencies,
} from './word-frequencies.ts';

/** Beyond this many words nothing is forgiven: each makes the statement longer. */
export const maxFuzzyWords = 6;
/** Shorter words are like too many others. */
const minForgiven = 4;
/** How alike a mistyped word must be, of 1; the database's own threshold is the lower of the two (src/db/handles.ts). */
const [alike, alikeWhenShort, shortWord] = [0.35, 0.5, 5];

const stopWords = new Set('a an and are at by for from in is of on or the to with'.split(' '));

export interface TextSearch {
  /** SQL: the ids of products that match. `first` is the place of its parameters in the statement. */
  matching(first: number): string;
  /** SQL: whether the product with the id of `k` is among them. */
  probe(first: number): string;
  params: unknown[];
  /** SQL: how well the listing `l` fits, as a whole number. */
  rank(first: number): string;
  rankParams: unknown[];
}

export const extractSearchWords = (text: string): string[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, 20);

/** What is known of the database that is searched. */
export interface SearchSupport {
  /** It can tell how alike words are. */
  forgiving: boolean;
  /** How common its words are: for speed alone. */
  common: WordFrequencies | undefined;
}

export async function loadSearchSupport(db: Db): Promise<SearchSupport> {
  const [forgiving, common] = await Promise.all([hasTrigramSupport(db), loadWordFrequencies(db)]);
  return { forgiving, common };
}

/** Undefined where the text holds no word. */
export function buildTextSearch(text: string, { forgiving, common }: SearchSupport): TextSearch | undefined {
  const words = extractSearchWords(text);
  if (words.length === 0) return undefined;
  const rare = rareWords(words, common);
  const meant = words.filter((word) => !stopWords.has(word));
  const forgiven = forgiving && meant.length <= maxFuzzyWords ? meant : [];
  const mistyped = forgiven.some((word) => word.length >= minForgiven)
    ? forgiven.map((word) => ({ word, isRare: rare?.listings.includes(word) ?? true })).sort(byKind)
    : [];
  const typed = [words, ...(rare ? [rare.listings, rare.skus] : [])].map((some) => some.map(beginning));
  const found = (first: number) => branches(first, rare !== undefined, mistyped);
  return {
    params: [...typed.map((some) => some.join(' & ')), ...mistyped.map(({ word }) => word)],
    rankParams: [words.map(beginning).join(' | '), ...(forgiving ? [words.join(' ')] : [])],
    matching: (first) =>
      found(first)
        .map(
          (one) =>
            `select f.product_id from ${rowsOf(one)} where f.business_id = $1 and ${one.rest ?? one.test}`,
        )
        .join(' union '),
    probe: (first) =>
      `(${found(first)
        .map(
          ({ table, probe }) =>
            `(select true from ${table} f where f.business_id = $1 and f.product_id = k.id and ${probe} limit 1)`,
        )
        .join(' or ')})`,
    rank: (first) => {
      const byWords = `ts_rank(l.search, to_tsquery('english', $${first}))`;
      const byName = forgiving ? ` + word_similarity($${first + 1}, l.name)` : '';
      return `round(((${byWords}${byName}) * 1000000)::numeric)::int`;
    },
  };
}

const beginning = (word: string) => `${word}:*`;

/** Undefined where no word is known to find little. */
function rareWords(words: readonly string[], common: WordFrequencies | undefined) {
  const rare = (isCommon: EstimateFrequency) =>
    selectRareWords(words, (word) => (stopWords.has(word) ? 1 : isCommon(word)));
  const listings = common && rare(common.listings);
  return listings && { listings, skus: rare(common.skus) ?? words };
}

interface Forgiven {
  word: string;
  isRare: boolean;
}

/** In one order for all searches, so that their statements are few. */
const byKind = (one: Forgiven, other: Forgiven) =>
  Number(other.isRare) - Number(one.isRare) || kindOf(one.word) - kindOf(other.word);
const kindOf = ({ length }: string) => (length < minForgiven ? 0 : length <= shortWord ? 1 : 2);

interface Branch {
  table: string;
  /** What its tests look at. */
  columns: string;
  /** A part of the test that leaves few rows, to be done first, and what is left of it then. */
  rare?: string;
  rest?: string;
  test: string;
  /** The same for a row that is known by its product. */
  probe: string;
}

/** SQL: what is looked for. */
type Ask = (language: string, words: string) => string;
const ask: Ask = (language, words) => `to_tsquery('${language}', ${words})`;
/** For row after row: to read the words takes longer than to find them. Where an index is to be used, the planner would think too little of it. */
const askOnce: Ask = (language, words) => `(select ${ask(language, words)})`;

/**
 * The index reads the whole list of every word that it is asked for by its beginning, before it compares them. `offset 0` keeps the
 * planner from asking it for the common ones. And the planner thinks that any word is in 5 rows of 1,000, much of a large shop: asked for
 * twice, it is rare.
 */
const rowsOf = ({ table, columns, rare }: Branch) =>
  rare === undefined
    ? `${table} f`
    : `(select f.product_id, f.business_id, ${columns} from ${table} f where f.business_id = $1 and ${rare} offset 0) f`;

/** Each finds products in its own way. Mistakes are looked for only where nothing has the words as they were typed. */
function branches(first: number, hasRare: boolean, mistyped: readonly Forgiven[]): Branch[] {
  const typed = (language: string, words: string, place: number) => ({
    test: `${words} @@ ${ask(language, `$${first}`)}`,
    probe: `${words} @@ ${askOnce(language, `$${first}`)}`,
    ...(hasRare && { rare: `${words} @@ ${rareQuery(language, `$${first}`, `$${place}`)}` }),
  });
  const asTyped: Branch[] = [
    { table: 'product_listings', columns: 'f.search', ...typed('english', 'f.search', first + 1) },
    { table: 'variants', columns: 'f.sku', ...typed('simple', skuWords, first + 2) },
  ];
  if (mistyped.length === 0) return asTyped;
  // Only what everybody sees counts: a draft must not be told by what is missing.
  const nothingAsTyped = asTyped.map(
    (
      one,
    ) => `not exists (select 1 from ${rowsOf(one)} join products v on v.business_id = $1 and v.id = f.product_id
      where f.business_id = $1 and v.status = 'ACTIVE' and ${one.test})`,
  );
  const place = first + (hasRare ? 3 : 1);
  const likeAll = (by: Ask) => mistyped.map(({ word }, index) => isLike(word, `$${place + index}`, by));
  const mayBe = mistyped.flatMap(({ word, isRare }, index) =>
    isRare ? mayBeLike(word, `$${place + index}`) : [],
  );
  const all = (tests: readonly string[]) => tests.join(' and ');
  return [
    ...asTyped,
    {
      table: 'product_listings',
      columns: 'f.search, f.name',
      test: all([...nothingAsTyped, ...likeAll(ask)]),
      probe: all([...nothingAsTyped, ...likeAll(askOnce)]),
      ...(hasRare && { rare: all([...nothingAsTyped, ...mayBe]), rest: all(likeAll(ask)) }),
    },
  ];
}

/** A query of stop words alone is empty and finds nothing: then only the whole one will do. */
const rareQuery = (language: string, whole: string, rare: string) =>
  `case numnode(${ask(language, rare)}) when 0 then ${ask(language, whole)} else ${ask(language, rare)} end`;

const skuWords = `to_tsvector('simple', regexp_replace(coalesce(f.sku, ''), '[^[:alnum:]]+', ' ', 'g'))`;

const begins = (param: string, by: Ask) => `f.search @@ ${by('english', `${param}::text || ':*'`)}`;

/** As the indexes answer it. */
const mayBeLike = ({ length }: string, param: string) =>
  length < minForgiven ? begins(param, ask) : `(${begins(param, ask)} or ${param}::text <<% f.name)`;

function isLike({ length }: string, param: string, by: Ask): string {
  if (length < minForgiven) return begins(param, by);
  const least = length <= shortWord ? alikeWhenShort : alike;
  const isNear = `${param}::text <<% f.name and strict_word_similarity(${param}::text, f.name) >= ${least}`;
  return `(${begins(param, by)} or (${isNear}))`;
}
