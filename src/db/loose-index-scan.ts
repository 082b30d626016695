/**
 * Loose index scan: the distinct values of a column in a large table, for columns with few values. PostgreSQL has no skip scan for
 * DISTINCT, so a recursive CTE jumps from each value to the next one along an index that begins with the column.
 */

/** SQL of a derived table with one column `id`. Costs one index lookup per distinct value, independent of the number of rows. */
export const buildDistinctValuesSql = (table: string, column: string): string => `(
  with recursive steps as (
    (select ${column} as id from ${table} order by ${column} limit 1)
    union all
    select (select t.${column} from ${table} t where t.${column} > steps.id order by t.${column} limit 1)
    from steps where steps.id is not null
  ) select id from steps where id is not null)`;
