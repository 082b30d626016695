/** Full-text search in products as SQL: words and prefixes in any inflection, SKUs, and mistyped words in the name (trigrams, swapped letters). */
import { type Db, hasTrigramSupport } from '../../../db/index.ts';
import { canHaveSwappedLetters, swapAdjacentLetters } from './swapped-letters.ts';
import {
  type EstimateWordFrequency,
  loadWordFrequencyEstimators,
  selectRareWords,
  type WordFrequencyEstimators,
} from './word-frequencies.ts';

/** Searches with more words are not matched fuzzily: each word makes the statement longer. */
export const maxFuzzyWords = 6;
/** Minimum length of a word that is matched by trigrams: shorter ones are similar to too many others. */
const minFuzzyLength = 4;
/** Minimum trigram similarity (0 to 1) for long and for short words (up to 5 letters). Each database session sets the lower one as its threshold. */
const [minSimilarity, minSimilarityOfShort, shortWordLength] = [0.35, 0.5, 5];

export const stopWords = new Set('a an and are at by for from in is of on or the to with'.split(' '));

export interface TextSearchSql {
  /** SQL query for the ids of matching products. `first` is the number of its first parameter. */
  matchingIdsSql(first: number): string;
  /** SQL condition: the product with the id of `k` matches. */
  probeSql(first: number): string;
  params: unknown[];
  /** SQL expression: relevance of `product_listings l`, as an integer. */
  rankSql(first: number): string;
  rankParams: unknown[];
}

export const extractSearchWords = (text: string): string[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, 20);

/** Capabilities and statistics of the database. */
export interface SearchSupport {
  /** The extension pg_trgm is installed: mistyped words can be matched. */
  hasTrigrams: boolean;
  /** Affects the query plan only. */
  frequencies: WordFrequencyEstimators | undefined;
}

export async function loadSearchSupport(db: Db): Promise<SearchSupport> {
  const [hasTrigrams, frequencies] = await Promise.all([
    hasTrigramSupport(db),
    loadWordFrequencyEstimators(db),
  ]);
  return { hasTrigrams, frequencies };
}

/** Undefined when the text contains no word. */
export function buildTextSearchSql(
  text: string,
  { hasTrigrams, frequencies }: SearchSupport,
): TextSearchSql | undefined {
  const words = extractSearchWords(text);
  if (words.length === 0) return undefined;
  const rare = findRareWords(words, frequencies);
  const contentWords = words.filter((word) => !stopWords.has(word));
  const candidates = hasTrigrams && contentWords.length <= maxFuzzyWords ? contentWords : [];
  const fuzzyWords = candidates.some(canHaveSwappedLetters)
    ? candidates.map((word) => ({ word, isRare: rare?.listings.includes(word) ?? true })).sort(compareKinds)
    : [];
  const exactQueries = [words, ...(rare ? [rare.listings, rare.skus] : [])].map((list) =>
    list.map(toPrefixQuery),
  );
  const branches = (first: number) => buildBranches(first, rare !== undefined, fuzzyWords);
  return {
    params: [...exactQueries.map((list) => list.join(' & ')), ...fuzzyWords.flatMap(fuzzyParams)],
    rankParams: [words.map(toPrefixQuery).join(' | '), ...(hasTrigrams ? [words.join(' ')] : [])],
    matchingIdsSql: (first) =>
      branches(first)
        .map(
          (branch) =>
            `select f.product_id from ${rowsOf(branch)} where f.business_id = $1 and ${branch.rest ?? branch.test}`,
        )
        .join(' union '),
    probeSql: (first) =>
      `(${branches(first)
        .map(
          ({ table, probe }) =>
            `(select true from ${table} f where f.business_id = $1 and f.product_id = k.id and ${probe} limit 1)`,
        )
        .join(' or ')})`,
    rankSql: (first) => {
      const byWords = `ts_rank(l.search, to_tsquery('english', $${first}))`;
      const byName = hasTrigrams ? ` + word_similarity($${first + 1}, l.name)` : '';
      return `round(((${byWords}${byName}) * 1000000)::numeric)::int`;
    },
  };
}

const toPrefixQuery = (word: string) => `${word}:*`;

/** Undefined when no word is selective according to the statistics. */
function findRareWords(words: readonly string[], frequencies: WordFrequencyEstimators | undefined) {
  const select = (estimate: EstimateWordFrequency) =>
    selectRareWords(words, (word) => (stopWords.has(word) ? 1 : estimate(word)));
  const listings = frequencies && select(frequencies.listings);
  return listings && { listings, skus: select(frequencies.skus) ?? words };
}

interface FuzzyWord {
  word: string;
  isRare: boolean;
}

/** Tsquery of the word as a prefix, or with two letters swapped as a word of the name (weight A); and the word, if it is matched by trigrams. */
const fuzzyParams = ({ word }: FuzzyWord): string[] => [
  [toPrefixQuery(word), ...swapAdjacentLetters(word).map((swapped) => `${swapped}:A`)].join(' | '),
  ...(word.length < minFuzzyLength ? [] : [word]),
];

/** One order for all searches, so that they share few distinct prepared statements. */
const compareKinds = (left: FuzzyWord, right: FuzzyWord) =>
  Number(right.isRare) - Number(left.isRare) || lengthClass(left.word) - lengthClass(right.word);
const lengthClass = ({ length }: string) => (length < minFuzzyLength ? 0 : length <= shortWordLength ? 1 : 2);

interface Branch {
  table: string;
  /** Columns that the conditions read. */
  columns: string;
  /** Selective part of `test`, evaluated first, and the remaining condition. */
  rare?: string;
  rest?: string;
  test: string;
  /** Like `test`, for a single row that was found by its product id. */
  probe: string;
}

/** SQL expression of a tsquery. */
type TsqueryBuilder = (language: string, words: string) => string;
const tsquery: TsqueryBuilder = (language, words) => `to_tsquery('${language}', ${words})`;
/**
 * As a subselect the tsquery is parsed once instead of once per row: parsing takes longer than matching. Not for index scans: the
 * planner would misestimate their selectivity.
 */
const tsqueryOnce: TsqueryBuilder = (language, words) => `(select ${tsquery(language, words)})`;

/**
 * For a prefix the GIN index reads the posting list of every matching word before it intersects them. `offset 0` keeps the planner
 * from passing the frequent words to the index. The planner also assumes that any word is in 5 of 1,000 rows, which is many in a
 * large shop: with the condition given twice, it estimates few.
 */
const rowsOf = ({ table, columns, rare }: Branch) =>
  rare === undefined
    ? `${table} f`
    : `(select f.product_id, f.business_id, ${columns} from ${table} f where f.business_id = $1 and ${rare} offset 0) f`;

/** Alternative ways to find products: listing words, SKU words, and fuzzy names. Fuzzy matching applies only when no public product matches exactly. */
function buildBranches(first: number, hasRare: boolean, fuzzyWords: readonly FuzzyWord[]): Branch[] {
  const exact = (language: string, words: string, rareParam: number) => ({
    test: `${words} @@ ${tsquery(language, `$${first}`)}`,
    probe: `${words} @@ ${tsqueryOnce(language, `$${first}`)}`,
    ...(hasRare && { rare: `${words} @@ ${rareQuery(language, `$${first}`, `$${rareParam}`)}` }),
  });
  const exactBranches: Branch[] = [
    { table: 'product_listings', columns: 'f.search', ...exact('english', 'f.search', first + 1) },
    { table: 'variants', columns: 'f.sku', ...exact('simple', skuWords, first + 2) },
  ];
  if (fuzzyWords.length === 0) return exactBranches;
  // Only public products count: otherwise missing fuzzy matches would reveal that a draft with the exact word exists.
  const noExactMatch = exactBranches.map(
    (
      branch,
    ) => `not exists (select 1 from ${rowsOf(branch)} join products v on v.business_id = $1 and v.id = f.product_id
      where f.business_id = $1 and v.status = 'ACTIVE' and ${branch.test})`,
  );
  const numberedWords = numberFuzzyParams(fuzzyWords, first + (hasRare ? 3 : 1));
  const similarToAll = (by: TsqueryBuilder) => numberedWords.map((word) => similarCondition(word, by));
  const indexable = numberedWords.filter(({ isRare }) => isRare).map(indexableCondition);
  const and = (tests: readonly string[]) => tests.join(' and ');
  return [
    ...exactBranches,
    {
      table: 'product_listings',
      columns: 'f.search, f.name',
      test: and([...noExactMatch, ...similarToAll(tsquery)]),
      probe: and([...noExactMatch, ...similarToAll(tsqueryOnce)]),
      ...(hasRare && { rare: and([...noExactMatch, ...indexable]), rest: and(similarToAll(tsquery)) }),
    },
  ];
}

/** A tsquery of stop words alone is empty and matches nothing: the whole query is used then. */
const rareQuery = (language: string, whole: string, rare: string) =>
  `case numnode(${tsquery(language, rare)}) when 0 then ${tsquery(language, whole)} else ${tsquery(language, rare)} end`;

const skuWords = `to_tsvector('simple', regexp_replace(coalesce(f.sku, ''), '[^[:alnum:]]+', ' ', 'g'))`;

/** A fuzzy word with the numbers of its parameters. */
interface NumberedWord extends FuzzyWord {
  query: string;
  text: string;
}

function numberFuzzyParams(words: readonly FuzzyWord[], first: number): NumberedWord[] {
  let next = first;
  return words.map((word) => {
    const numbered = { query: `$${next}`, text: `$${next + 1}::text`, ...word };
    next += fuzzyParams(word).length;
    return numbered;
  });
}

const wordCondition = ({ query }: NumberedWord, by: TsqueryBuilder) => `f.search @@ ${by('english', query)}`;

/** Condition that the indexes can evaluate, without the exact similarity. */
const indexableCondition = (word: NumberedWord) =>
  word.word.length < minFuzzyLength
    ? wordCondition(word, tsquery)
    : `(${wordCondition(word, tsquery)} or ${word.text} <<% f.name)`;

function similarCondition(word: NumberedWord, by: TsqueryBuilder): string {
  const { text } = word;
  const { length } = word.word;
  if (length < minFuzzyLength) return wordCondition(word, by);
  const threshold = length <= shortWordLength ? minSimilarityOfShort : minSimilarity;
  const isSimilar = `${text} <<% f.name and strict_word_similarity(${text}, f.name) >= ${threshold}`;
  return `(${wordCondition(word, by)} or (${isSimilar}))`;
}
