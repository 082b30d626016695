/** Pages of one owner's rows, newest first: the list of every domain. */

import { HiddenProperty } from '../../lib/cache/hidden-property.ts';
import { loadPage, maxPageSize, type Page, type PageArgs, type Slice } from '../../lib/paging.ts';
import { loadBatchedPage } from '../batching/batched-pages.ts';
import { readOncePerTick } from '../batching/tick-batching.ts';
import type { Db } from '../handles.ts';

export interface PageReader {
  readonly db: Pick<Db, 'sql' | 'shortRead'>;
  readonly keys: { readonly secret: Uint8Array };
}

export interface OwnedPageQuery<Row extends object, T> {
  /** What its cursors are bound to, for example `products:<businessId>`. */
  list: string;
  args: PageArgs;
  columns: string;
  table: string;
  /** The column that holds the owner, who is the first parameter. */
  owner: string;
  params: readonly unknown[];
  conditions: readonly string[];
  /** Keeps the statements of a list that is always asked for with these columns and conditions, so that each is one and the same text. */
  statementCache?: Map<string, string> | undefined;
  /** Some condition is likely to leave few rows: the planner may look for them its own way. */
  isSelective?: boolean;
  /** Called when nothing is found: throws when there cannot be anything, as under a business that does not exist. */
  whenEmpty?(): Promise<void>;
  /** Looks at nothing but the rows and what is among `params`: who sends the same statement in one turn shares what it returns. */
  toNodes(rows: readonly Row[]): readonly T[] | Promise<readonly T[]>;
}

/** The lists of other owners that one answer shows beside this one, read together: see sibling-pages.ts. */
export interface SiblingLoader<T> {
  fetch(limit: number, backward: boolean): Promise<readonly T[]>;
  count(): Promise<number>;
}

/** Rows that several requests of one turn share become nodes once. */
const nodesOf = new HiddenProperty<readonly unknown[], Promise<readonly unknown[]>>();

export function loadOwnedPage<Row extends object, T extends { id: string }>(
  { db, keys }: PageReader,
  rows: OwnedPageQuery<Row, T>,
  siblings?: SiblingLoader<T>,
): Promise<Page<T>> {
  const { list, args, params } = rows;
  return loadPage({
    secret: keys.secret,
    list,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, limit) {
      const keys = [slice.after, slice.before].filter((key) => key !== undefined);
      // Of several owners only one can have made the cursor: it is asked alone.
      if (siblings && keys.length === 0) return siblings.fetch(limit, slice.backward);
      const statement = ownedPageSql(rows, slice);
      const values = [...params, limit, ...keys];
      if (rows.isSelective) {
        const nodes = await rows.toNodes(await db.sql<Row>(statement, values));
        if (nodes.length === 0) await rows.whenEmpty?.();
        return nodes;
      }
      const { after, before, backward } = slice;
      const found =
        after !== undefined && before === undefined && !backward
          ? await loadBatchedPage<Row>(db, statement, [...params, limit], after)
          : await readOncePerTick<Row>(db, statement, values);
      const nodes = nodesOf.get(found) ?? Promise.resolve(rows.toNodes(found));
      nodesOf.set(found, nodes);
      if (found.length === 0) await rows.whenEmpty?.();
      return nodes as Promise<readonly T[]>;
    },
    async count() {
      if (siblings) return siblings.count();
      const [row] = await db.sql<{ count: number }>(ownedCountSql(rows), params);
      return row?.count ?? 0;
    },
  });
}

type Statement = Omit<OwnedPageQuery<never, never>, 'toNodes' | 'list' | 'args'>;

/** The statement of a page, whose parameters are those of `rows`, the limit and the keys of the slice. */
export function ownedPageSql(rows: Statement, slice: Slice): string {
  if (!rows.statementCache) return newStatement(rows, slice);
  const form = `${slice.after === undefined}${slice.before === undefined}${slice.backward}`;
  let statement = rows.statementCache.get(form);
  if (statement === undefined) {
    statement = newStatement(rows, slice);
    rows.statementCache.set(form, statement);
  }
  return statement;
}

/**
 * The parameter after `params` is the limit, and the next ones are the keys of the slice. The planner does not know what a parameter
 * will be and would rather sort all rows of an owner than walk for long: the inner limit tells it that a page is short.
 */
function newStatement(rows: Statement, slice: Slice): string {
  const found = `select ${rows.columns} from ${rows.table} ${inOrder(rows, slice)}`;
  const limit = `limit $${rows.params.length + 1}`;
  return rows.isSelective
    ? `${found} ${limit}`
    : `select * from (${found} limit ${maxPageSize + 1}) listed ${limit}`;
}

export const ownedCountSql = ({ table, owner, conditions }: Statement) =>
  `select count(*)::int as count from ${table} where ${[`${owner} = $1`, ...conditions].join(' and ')}`;

/**
 * The owner is a range and leads the order, so that only an index which begins with the owner will do. Of
 * `owner = $1 order by id` the planner thinks that it could as well walk down the primary key: cheap while the owner
 * has most rows, endless when others have the newer ones.
 */
function inOrder(
  { table, owner, params, conditions, isSelective: narrowed = false }: Statement,
  { after, before, backward }: Slice,
): string {
  const id = `${table.split(' ').at(-1)}.id`;
  const below = after === undefined ? undefined : `$${params.length + 2}`;
  const above = before === undefined ? undefined : `$${params.length + (below ? 3 : 2)}`;
  const direction = backward ? 'asc' : 'desc';
  const within = [...(below ? [`${id} < ${below}`] : []), ...(above ? [`${id} > ${above}`] : [])];
  if (narrowed) {
    const where = [`${owner} = $1`, ...conditions, ...within];
    return `where ${where.join(' and ')} order by ${id} ${direction}`;
  }
  // One bound only where the scan begins: of two, it may begin at the wider one.
  const [begin, end] = backward ? ['>', '<'] : ['<', '>'];
  const [from, to] = backward ? [above, below && `${id} < ${below}`] : [below, above && `${id} > ${above}`];
  const start = from ? `(${owner}, ${id}) ${begin} ($1, ${from})` : `${owner} ${begin}= $1`;
  const where = [`${owner} ${end}= $1`, start, ...(to ? [to] : []), ...conditions];
  return `where ${where.join(' and ')} order by ${owner} ${direction}, ${id} ${direction}`;
}
