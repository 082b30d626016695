/** The few values that a column has in a big table, found by leaping along an index that begins with it. */

/** SQL: a table of one column `id`, to be used in `from`. There is one step for each value, however many rows have it. */
export const distinctValuesSql = (table: string, column: string): string => `(
  with recursive leaps as (
    (select ${column} as id from ${table} order by ${column} limit 1)
    union all
    select (select t.${column} from ${table} t where t.${column} > leaps.id order by t.${column} limit 1)
    from leaps where leaps.id is not null
  ) select id from leaps where id is not null)`;
