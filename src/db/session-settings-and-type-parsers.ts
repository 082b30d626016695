/** Session settings of every connection, and type parsers of `sql`, on PostgreSQL and PGlite. */
/**
 * Session setting: one generic plan per prepared statement. The application's statements behave alike for all parameters, so planning
 * each execution would cost more than it gains, and PostgreSQL and PGlite would choose different plans.
 */
export const genericPlanSql = 'SET plan_cache_mode = force_generic_plan';

/** Session setting: no parallel workers. Statements are short, and starting workers takes longer than it saves. */
export const noParallelWorkersSql = 'SET max_parallel_workers_per_gather = 0';

/** Session setting: minimum trigram similarity of a mistyped word (src/domains/products/search/text-search.ts). No effect without pg_trgm. */
export const trigramThresholdSql = 'SET pg_trgm.strict_word_similarity_threshold = 0.35';

const int8Oid = 20;

const int8ArrayOid = 1016;

/** Type parsers of `sql` that differ from the drivers' defaults, by type OID: all 64-bit integers fit into a number. */
export const sqlTypeParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [int8Oid, Number],
  [int8ArrayOid, parseIntegerArray],
]);

function parseIntegerArray(text: string): (number | null)[] {
  const items = text.slice(1, -1);
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : Number(item)));
}
