/** SQL of one page of filtered rows in any order, fast both when many rows match and when few do. */
import { maxPageSize } from '../../lib/paging.ts';
import { buildKeysetRangeConditions, type SortedRange } from './sorted-page.ts';

/** SQL parts of the rows that a list is read from. */
export interface PageSource {
  /** Table whose index gives the order. */
  from: string;
  /** Join to the record, if `from` is another table. */
  join: string;
  id: string;
  key: string;
  /** Column of the sort key, by which range conditions are recognised. */
  column: string;
  /** SQL type of the key, for the parameters of a cursor. */
  type: string;
  conditions: readonly string[];
  /** Equality on the owner, for queries that do not scan in order: the planner underestimates a range. */
  ownerConditions: readonly string[];
  /** Explicit range bounds for the first and last page, so that the planner picks the index. */
  rangeBounds?: readonly [first: string, last: string];
  /** Follow the parameters of the filters. */
  params: readonly unknown[];
  descending: boolean;
}

const aliasOf = (table: string) => table.split(' ').at(-1) ?? table;

/** Order by owner and id, so that only an index that begins with the owner is usable (see owned-page.ts). */
export function buildPageSourceByAge(
  table: string,
  ownerColumn: string,
  descending: boolean,
  param = '$1',
): PageSource {
  const alias = aliasOf(table);
  const owner = `${alias}.${ownerColumn}`;
  const [atMost, atLeast] = [`${owner} <= ${param}`, `${owner} >= ${param}`] as const;
  return {
    from: table,
    join: '',
    id: `${alias}.id`,
    key: owner,
    column: 'id',
    type: 'uuid',
    conditions: [],
    ownerConditions: [`${owner} = ${param}`],
    rangeBounds: descending ? [atMost, atLeast] : [atLeast, atMost],
    params: [],
    descending,
  };
}

export interface PageQuerySpec {
  /** Table of the records with its alias, such as `products p`. */
  table: string;
  /** Column of the owner's id, which is parameter `$1`. */
  owner: string;
  /** Select list, which includes `id`; `sort_key` is added. */
  columns: string;
  source: PageSource;
  params: readonly unknown[];
  /** Conditions on the sort key, which bound the index scan. */
  keyConditions: readonly string[];
  /** The other conditions, for finding all matching rows. */
  setConditions: readonly string[];
  /** The other conditions, for testing the record of one scanned row `k`. */
  probeConditions: readonly string[];
  /** Few rows match: find all of them, then sort. */
  isSelective: boolean;
  /** No condition besides those on the key: a plain index scan. */
  isUnfiltered: boolean;
  /** Rows to scan in order, step by step, before falling back to finding all matching rows. */
  scanSizes: readonly number[];
}

const where = (conditions: readonly string[]) =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';

/** Rows are sorted by `sort_key` and `id` in `direction`; an enclosing statement must repeat the ORDER BY. */
export function buildPageQuery(
  {
    table,
    owner,
    columns,
    source,
    params: filters,
    keyConditions,
    setConditions,
    probeConditions,
    isSelective,
    isUnfiltered,
    scanSizes,
  }: PageQuerySpec,
  slice: SortedRange,
  limit: number,
): { text: string; direction: string; params: unknown[] } {
  const { from, join, id, key, rangeBounds } = source;
  const alias = aliasOf(table);
  const limitIndex = filters.length + source.params.length + 1;
  const { after, before, direction, params } = buildKeysetRangeConditions(source, slice, limitIndex + 1);
  const defined = (conditions: readonly (string | undefined)[]) =>
    conditions.filter((condition) => condition !== undefined);
  const cursors = defined([after, before]);
  const range = [
    ...source.conditions,
    ...keyConditions,
    ...defined([after ?? rangeBounds?.[0], before ?? rangeBounds?.[1]]),
  ];
  const result = { direction, params: [...filters, ...source.params, limit, ...params] };
  const inOrder = `order by ${key} ${direction}, ${id} ${direction}`;
  // The constant inner limit shows the planner that a page is short; it would assume many more rows for a parameter.
  const pageLimit = `limit ${maxPageSize + 1}) page limit $${limitIndex}`;
  const selectList = `${columns}, ${key} as sort_key`;
  if (isUnfiltered)
    return {
      ...result,
      text: `select * from (select ${selectList} from ${from} ${join} ${where([...range, ...setConditions])} ${inOrder} ${pageLimit}`,
    };

  // Finds all matching rows, then sorts them. OFFSET 0 keeps the planner from scanning in order.
  const findAll = (unless: readonly string[]) =>
    `select * from (select * from (select ${selectList} from ${from} ${join} ${where([...source.ownerConditions, ...keyConditions, ...cursors, ...setConditions, ...unless])} offset 0) fitting order by sort_key ${direction}, id ${direction} ${pageLimit}`;
  if (isSelective) return { ...result, text: findAll([]) };

  const scan = (size: number, unless: readonly string[]) =>
    `select * from (select ${columns}, k.sort_key
      from (select ${id} as id, ${key} as sort_key from ${from} ${where([...range, ...unless])} ${inOrder} limit ${size}) k
      join ${table} on ${alias}.${owner} = $1 and ${alias}.id = k.id ${where(probeConditions)} order by k.sort_key ${direction}, k.id ${direction} ${pageLimit}`;
  const isTooShort = (name: string) => `(select count(*) from ${name}) < $${limitIndex}`;
  // If many rows match, a short scan in order finds the page; if few do, the indexes of the filters find them.
  const parts = scanSizes.map((size, index) => {
    const previous = `walk${index - 1}`;
    // A longer scan runs only if the matches of the shorter one suggest that it will fill the page.
    const isPromising = `(select count(*) from ${previous}) * ${Math.ceil(size / (scanSizes[index - 1] ?? size))} >= $${limitIndex}`;
    return { name: `walk${index}`, text: scan(size, index === 0 ? [] : [isTooShort(previous), isPromising]) };
  });
  return {
    ...result,
    text: `with ${parts.map(({ name, text }) => `${name} as materialized (${text})`).join(', ')},
      far as (${findAll(parts.map(({ name }) => isTooShort(name)))})
      ${parts.map(({ name }) => `select * from ${name} where not ${isTooShort(name)} union all `).join('')} select * from far`,
  };
}
