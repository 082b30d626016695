/** Search in products: whole words and their beginnings in any form, SKUs, and words that were mistyped. */

/** Beyond this many words nothing is forgiven: each makes the statement longer. */
export const maxForgiven = 6;
/** Shorter words are like too many others. */
const minForgiven = 4;
/** How alike a mistyped word must be, of 1; the database's own threshold is the lower of the two (src/db/sql.ts). */
const [alike, alikeWhenShort, shortWord] = [0.35, 0.5, 5];

const stopWords = new Set('a an and are at by for from in is of on or the to with'.split(' '));

export interface Search {
  /** SQL: the ids of products that match. `first` is the place of its parameters in the statement. */
  matching(first: number): string;
  /** SQL: whether the product with the id of `k` is among them. */
  probe(first: number): string;
  params: unknown[];
  /** SQL: how well the listing `l` fits, as a whole number. */
  rank(first: number): string;
  rankParams: unknown[];
}

export const wordsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, 20);

/** `forgiving`: the database knows trigrams. Undefined where the text holds no word. */
export function searchFor(text: string, forgiving: boolean): Search | undefined {
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  const prefixes = words.map((word) => `${word}:*`);
  const meant = words.filter((word) => !stopWords.has(word));
  const forgiven = forgiving && meant.length <= maxForgiven ? meant : [];
  const mistyped = forgiven.some((word) => word.length >= minForgiven) ? forgiven : [];
  return {
    params: [prefixes.join(' & '), ...mistyped],
    rankParams: [prefixes.join(' | '), ...(forgiving ? [words.join(' ')] : [])],
    matching: (first) =>
      branches(first, mistyped)
        .map(({ table, test }) => `select f.product_id from ${table} f where f.business_id = $1 and ${test}`)
        .join(' union '),
    probe: (first) =>
      `(${branches(first, mistyped)
        .map(
          ({ table, test }) =>
            `(select true from ${table} f where f.business_id = $1 and f.product_id = k.id and ${test} limit 1)`,
        )
        .join(' or ')})`,
    rank: (first) => {
      const byWords = `ts_rank(l.search, to_tsquery('english', $${first}))`;
      const byName = forgiving ? ` + word_similarity($${first + 1}, l.name)` : '';
      return `round(((${byWords}${byName}) * 1000000)::numeric)::int`;
    },
  };
}

/** Each finds products in its own way. Mistakes are looked for only where nothing has the words as they were typed. */
function branches(first: number, mistyped: readonly string[]) {
  const asTyped = [
    { table: 'product_listings', test: `f.search @@ to_tsquery('english', $${first})` },
    { table: 'variants', test: `${skuWords} @@ to_tsquery('simple', $${first})` },
  ];
  if (mistyped.length === 0) return asTyped;
  // Only what everybody sees counts: a draft must not be told by what is missing.
  const nothingAsTyped = asTyped.map(
    ({
      table,
      test,
    }) => `not exists (select 1 from ${table} f join products v on v.business_id = $1 and v.id = f.product_id
      where f.business_id = $1 and v.status = 'ACTIVE' and ${test})`,
  );
  const alike = mistyped.map((word, index) => isLike(word, `$${first + 1 + index}`));
  return [...asTyped, { table: 'product_listings', test: [...nothingAsTyped, ...alike].join(' and ') }];
}

const skuWords = `to_tsvector('simple', regexp_replace(coalesce(f.sku, ''), '[^[:alnum:]]+', ' ', 'g'))`;

const isLike = (word: string, param: string) =>
  word.length < minForgiven
    ? `f.search @@ to_tsquery('english', ${param}::text || ':*')`
    : `(f.search @@ to_tsquery('english', ${param}::text || ':*') or (${param}::text <<% f.name
        and strict_word_similarity(${param}::text, f.name) >= ${word.length <= shortWord ? alikeWhenShort : alike}))`;
