/** Pages of one owner's rows by filters, in any order: for records whose filters are columns of their own table. */
import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';
import type { PageReader } from './owned-page.ts';
import { buildPageQuery, type PageSource, pageSourceByAge } from './page-query.ts';
import { loadSortedPage, type SortedRow, type SortedSlice } from './sorted-page.ts';

export interface FilterCondition {
  /** The column it is about, if it is a range: where the list is sorted by it, the range is all that is walked. */
  column?: string;
  test: string;
}

/** What a list is sorted by; undefined: by age, as its ids are. */
export interface PageOrder {
  by: { column: string; type: string; sql?: string } | undefined;
  descending: boolean;
}

export interface FilteredPageQuery<Row, T> {
  /** What its cursors are bound to, beside what is asked. */
  list: string;
  args: PageArgs;
  columns: string;
  /** Under its alias, such as `orders o`. */
  table: string;
  /** The column that holds the owner, who is the first parameter. */
  owner: string;
  params: readonly unknown[];
  /** Who sees what, in every list of the kind. */
  visibility?: string;
  conditions: readonly FilterCondition[];
  order: PageOrder;
  /** Some condition leaves few rows by itself: then there is nothing to gain by walking down the list. */
  isSelective: boolean;
  whenEmpty?(): Promise<void>;
  toNodes(rows: readonly Row[]): readonly T[] | Promise<readonly T[]>;
}

/** So many rows are looked at one by one before the database is left to find the few that are asked for. */
const walks = [300, 1500];

export function loadFilteredPage<Row extends { id: string }, T extends { id: string }>(
  reader: PageReader,
  rows: FilteredPageQuery<Row, T>,
): Promise<Page<T>> {
  const { table, owner, params, conditions, order } = rows;
  const alias = table.split(' ').at(-1);
  const source = sourceOf(rows);
  const seen = rows.visibility === undefined ? [] : [rows.visibility];
  const isOwn = ({ column }: FilterCondition) => column !== undefined && column === order.by?.column;
  const others = conditions.filter((one) => !isOwn(one)).map(({ test }) => test);
  const wanted = {
    table,
    owner,
    columns: `${alias}.id`,
    source,
    params,
    keyConditions: conditions.filter(isOwn).map(({ test }) => test),
    setConditions: [...seen, ...others],
    probeConditions: [...seen, ...others],
    isSelective: rows.isSelective,
    isUnfiltered: others.length === 0,
    scanSizes: walks,
  };
  return loadPageByIdQuery(reader, rows, [...seen, ...conditions.map(({ test }) => test)], (slice, limit) =>
    buildPageQuery(wanted, slice, limit),
  );
}

interface Found {
  /** Finds the ids with their `sort_key`. */
  text: string;
  direction: string;
  params: readonly unknown[];
  /** Where rows without a key stand, if there are any. */
  nulls?: string;
  /** Ends the whole statement. */
  end?: string;
}

/** The page whose ids a statement finds, read from their table. All rows that pass the tests are counted. */
export function loadPageByIdQuery<Row extends { id: string }, T extends { id: string }>(
  { db, keys }: PageReader,
  {
    list,
    args,
    columns,
    table,
    owner,
    params,
    whenEmpty,
    toNodes,
  }: Omit<FilteredPageQuery<Row, T>, 'conditions' | 'order' | 'isSelective'>,
  tests: readonly string[],
  find: (slice: SortedSlice, limit: number) => Found,
): Promise<Page<T>> {
  const alias = table.split(' ').at(-1);
  const { first: _first, after: _after, last: _last, before: _before, ...asked } = args;
  return loadSortedPage<Row & SortedRow, T>(
    { keys },
    {
      list: `${list}?${canonicalJson(asked)}`,
      args,
      async fetch(slice, limit) {
        const { text, direction, params: values, nulls = '', end = '' } = find(slice, limit);
        const found = await db.sql<Row & SortedRow>(
          `select ${columns}, found.sort_key from (${text}) found join ${table} on ${alias}.${owner} = $1 and ${alias}.id = found.id
           order by found.sort_key ${direction}${nulls}, found.id ${direction}${end}`,
          values,
        );
        if (found.length === 0) await whenEmpty?.();
        return found;
      },
      toNodes,
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

function sourceOf({
  table,
  owner,
  order: { by, descending },
}: Pick<FilteredPageQuery<never, never>, 'table' | 'owner' | 'order'>): PageSource {
  if (!by) return pageSourceByAge(table, owner, descending);
  const alias = table.split(' ').at(-1);
  const owned = [`${alias}.${owner} = $1`];
  return {
    from: table,
    join: '',
    id: `${alias}.id`,
    key: by.sql ?? `${alias}.${by.column}`,
    column: by.column,
    type: by.type,
    conditions: owned,
    ownerConditions: owned,
    params: [],
    descending,
  };
}

/** `NEWEST` and `OLDEST` are the order of ids, or for a part of the time that of its index; `<KEY>_DESC` is the other way round. */
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

/** Gathers conditions and their parameters. Only what is asked for becomes SQL, so that each combination has its own plan. */
export function createConditionBuilder(alias: string, params: unknown[]) {
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
