/** Filtered and sorted pages of one owner's rows, for records whose filters are columns of their own table. */
import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';
import type { PageQueryContext } from './owned-page.ts';
import { buildPageQuery, buildPageSourceByAge, type PageSource } from './page-query.ts';
import type { PageRecordSource } from './page-record-source.ts';
import { loadSortedPage, type SortedRange, type SortedRow } from './sorted-page.ts';

interface FilterCondition {
  /** Column of a range condition. If the list is sorted by it, the condition bounds the index scan. */
  column?: string;
  /** SQL. */
  test: string;
}

/** Sort order; `by` undefined: by id, which is the order of creation. */
interface PageOrder {
  by: { column: string; type: string; sql?: string } | undefined;
  descending: boolean;
}

export interface FilteredPageQuery<Row, T, Params extends readonly unknown[]> {
  records: PageRecordSource<Row, T, Params>;
  /** Name of the list. Cursors are bound to it and to the filter arguments. */
  list: string;
  args: PageArgs;
  /** Column of the owner's id, which is parameter `$1`. */
  owner: string;
  params: NoInfer<Params>;
  /** SQL condition for the rows that the viewer may see; null if `conditions` contain it, or if the viewer may see all rows of the owner. */
  visibility: string | null;
  conditions: readonly FilterCondition[];
  order: PageOrder;
  /** One condition alone matches few rows, so that scanning the list in order gains nothing. */
  isSelective: boolean;
  whenEmpty?(): Promise<void>;
}

/** Rows to scan in list order before falling back to the indexes of the filters. */
const scanSizes = [300, 1500];

export function loadFilteredPage<
  Row extends { id: string },
  T extends { id: string },
  Params extends readonly unknown[],
>(reader: PageQueryContext, rows: FilteredPageQuery<Row, T, Params>): Promise<Page<T>> {
  const {
    records: { table },
    owner,
    params,
    conditions,
    order,
  } = rows;
  const alias = table.split(' ').at(-1);
  const source = sortedSource(table, rows);
  const visibility = rows.visibility === null ? [] : [rows.visibility];
  const isOnSortColumn = ({ column }: FilterCondition) => column !== undefined && column === order.by?.column;
  const otherConditions = conditions
    .filter((condition) => !isOnSortColumn(condition))
    .map(({ test }) => test);
  const spec = {
    table,
    owner,
    columns: `${alias}.id`,
    source,
    params,
    keyConditions: conditions.filter(isOnSortColumn).map(({ test }) => test),
    setConditions: [...visibility, ...otherConditions],
    probeConditions: [...visibility, ...otherConditions],
    isSelective: rows.isSelective,
    isUnfiltered: otherConditions.length === 0,
    scanSizes,
  };
  return loadPageOfSelectedIds(
    reader,
    rows,
    [...visibility, ...conditions.map(({ test }) => test)],
    (slice, limit) => buildPageQuery(spec, slice, limit),
  );
}

interface IdQuery {
  /** SQL that selects the ids of the page with their `sort_key`. */
  text: string;
  direction: string;
  params: readonly unknown[];
  /** NULLS FIRST or NULLS LAST, if rows without a key exist. */
  nulls?: string;
  /** Appended to the whole statement, such as a LIMIT. */
  end?: string;
}

/** Loads the page whose ids `find` selects. `totalCount` counts all rows that fulfil `tests`. */
export function loadPageOfSelectedIds<
  Row extends { id: string },
  T extends { id: string },
  Params extends readonly unknown[],
>(
  { db, keys }: PageQueryContext,
  {
    list,
    args,
    records,
    owner,
    params,
    whenEmpty,
  }: Omit<FilteredPageQuery<Row, T, Params>, 'conditions' | 'order' | 'isSelective' | 'visibility'>,
  tests: readonly string[],
  find: (slice: SortedRange, limit: number) => IdQuery,
): Promise<Page<T>> {
  const { columns, table } = records;
  const alias = table.split(' ').at(-1);
  const { first: _first, after: _after, last: _last, before: _before, ...filters } = args;
  return loadSortedPage<Row & SortedRow, T>(
    { keys },
    {
      list: `${list}?${canonicalJson(filters)}`,
      args,
      async fetch(slice, limit) {
        const { text, direction, params: values, nulls = '', end = '' } = find(slice, limit);
        const foundRows = await db.sql<Row & SortedRow>(
          `select ${columns}, found.sort_key from (${text}) found join ${table} on ${alias}.${owner} = $1 and ${alias}.id = found.id
           order by found.sort_key ${direction}${nulls}, found.id ${direction}${end}`,
          values,
        );
        if (foundRows.length === 0) await whenEmpty?.();
        return foundRows;
      },
      toNodes: (rows) => records.toNodes(rows, params, db),
      async count() {
        const where = [`${alias}.${owner} = $1`, ...tests];
        const [row] = await db.sql<{ count: number }>(
          `select count(*)::int as count from ${table} where ${where.join(' and ')}`,
          params,
        );
        return row?.count ?? 0;
      },
    },
  );
}

function sortedSource(
  table: string,
  { owner, order: { by, descending } }: { owner: string; order: PageOrder },
): PageSource {
  if (!by) return buildPageSourceByAge(table, owner, descending);
  const alias = table.split(' ').at(-1);
  const ownerConditions = [`${alias}.${owner} = $1`];
  return {
    from: table,
    join: '',
    id: `${alias}.id`,
    key: by.sql ?? `${alias}.${by.column}`,
    column: by.column,
    type: by.type,
    conditions: ownerConditions,
    ownerConditions,
    params: [],
    descending,
  };
}

/**
 * `NEWEST` and `OLDEST` sort by id, or by `created_at` when the filter has a date range (`isDated`), to use its index;
 * `<KEY>_DESC` is the descending order of `<KEY>`.
 */
export function parsePageOrder<Key extends string>(
  sort: 'NEWEST' | 'OLDEST' | Key | `${Key}_DESC`,
  keys: Readonly<Record<Key, NonNullable<PageOrder['by']>>>,
  isDated: boolean,
): PageOrder {
  if (sort === 'NEWEST' || sort === 'OLDEST')
    return {
      by: isDated ? { column: 'created_at', type: 'bigint' } : undefined,
      descending: sort === 'NEWEST',
    };
  return { by: keys[sort.replace(/_DESC$/, '') as Key], descending: sort.endsWith('_DESC') };
}

/** Collects SQL conditions and their parameters. Absent filters add no SQL, so that each combination gets its own plan. */
export function createSqlConditionBuilder(alias: string, params: unknown[]) {
  const conditions: FilterCondition[] = [];
  const param = (value: unknown) => `$${params.push(value)}`;
  return {
    conditions,
    add(value: unknown, test: (param: string) => string) {
      if (value !== undefined) conditions.push({ test: test(param(value)) });
    },
    between(column: string, from: number | undefined, to: number | undefined) {
      if (from !== undefined)
        conditions.push({ column, test: `${alias}.${column} >= ${param(from)}::bigint` });
      if (to !== undefined) conditions.push({ column, test: `${alias}.${column} <= ${param(to)}::bigint` });
    },
  };
}
