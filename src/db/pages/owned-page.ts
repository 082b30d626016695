/** Pages of one owner's rows, newest first, by an index on owner and id. */
import { HiddenProperty } from '../../lib/cache/hidden-property.ts';
import { type KeyRange, loadKeysetPage, maxPageSize, type Page, type PageArgs } from '../../lib/paging.ts';
import { loadPageAfterKeyBatched, readOncePerTick } from '../batching/index.ts';
import type { Db, QueryHandle } from '../handles.ts';
import { mergeRowsOfServers } from './merge-rows-of-servers.ts';
import type { PageRecordSource } from './page-record-source.ts';

export interface PageQueryContext {
  readonly db: Db;
  readonly keys: { readonly secret: Uint8Array };
}

export interface OwnedPageQuery<Row extends object, T, Params extends readonly unknown[]> {
  records: PageRecordSource<Row, T, Params>;
  /** Name of the list that its cursors are bound to, for example `products:<businessId>`. */
  list: string;
  args: PageArgs;
  /** Column of the owner's id, which is parameter `$1`. */
  owner: string;
  params: NoInfer<Params>;
  conditions: readonly string[];
  /** Cache of statement texts, for a list whose columns and conditions never change: equal texts are the same string. */
  statementCache?: Map<string, string> | undefined;
  /** A condition is likely to match few rows: leave the choice of index to the planner. */
  isSelective?: boolean;
  /** Called for an empty page; throws if the owner does not exist, for example NOT_FOUND for a business. */
  whenEmpty?(): Promise<void>;
}

/** Batched loading of the same list for several owners in one response, see sibling-pages.ts. */
interface SiblingLoader<T> {
  fetch(limit: number, backward: boolean): Promise<readonly T[]>;
  count(): Promise<number>;
}

/** Nodes of rows that several requests of one tick share, converted once. */
const nodesOf = new HiddenProperty<readonly unknown[], Promise<readonly unknown[]>>();

/** Servers of an operation that names no business, whose lists have the records of all. Undefined for a handle with businesses. */
export const spannedServersOf = ({ otherServers }: QueryHandle): readonly Db[] | undefined =>
  otherServers?.hasOwnBusinesses === false ? otherServers.businesses : undefined;

export function loadOwnedPage<
  Row extends object,
  T extends { id: string },
  Params extends readonly unknown[],
>(
  { db, keys }: PageQueryContext,
  rows: OwnedPageQuery<Row, T, Params>,
  siblings?: SiblingLoader<T>,
): Promise<Page<T>> {
  const { list, args, params, records } = rows;
  const servers = spannedServersOf(db);
  if (servers) return loadPageOfServers({ secret: keys.secret, servers, rows, siblings });
  return loadKeysetPage({
    secret: keys.secret,
    list,
    args,
    async fetch(slice, limit) {
      const keys = [slice.after, slice.before].filter((key) => key !== undefined);
      // A cursor belongs to one owner, so a page with cursors is not batched.
      if (siblings && keys.length === 0) return siblings.fetch(limit, slice.backward);
      const statement = buildPageOfOwnerSql(rows, slice);
      const values = [...params, limit, ...keys];
      if (rows.isSelective) {
        const nodes = await records.toNodes(await db.sql<Row>(statement, values), params, db);
        if (nodes.length === 0) await rows.whenEmpty?.();
        return nodes;
      }
      const { after, before, backward } = slice;
      const foundRows =
        after !== undefined && before === undefined && !backward
          ? await loadPageAfterKeyBatched<Row>(db, statement, [...params, limit], after)
          : await readOncePerTick<Row>(db, statement, values);
      const nodes = nodesOf.get(foundRows) ?? Promise.resolve(records.toNodes(foundRows, params, db));
      nodesOf.set(foundRows, nodes);
      if (foundRows.length === 0) await rows.whenEmpty?.();
      return nodes as Promise<readonly T[]>;
    },
    async count() {
      if (siblings) return siblings.count();
      const [row] = await db.sql<{ count: number }>(buildOwnedCountSql(rows), params);
      return row?.count ?? 0;
    },
  });
}

interface PageOfServersQuery<Row extends object, T, Params extends readonly unknown[]> {
  secret: Uint8Array;
  servers: readonly Db[];
  rows: OwnedPageQuery<Row, T, Params>;
  siblings: SiblingLoader<T> | undefined;
}

/** The page of a list whose rows are on several servers. */
function loadPageOfServers<Row extends object, T extends { id: string }, Params extends readonly unknown[]>({
  secret,
  servers,
  rows,
  siblings,
}: PageOfServersQuery<Row, T, Params>): Promise<Page<T>> {
  const { list, args, params, records } = rows;
  return loadKeysetPage({
    secret,
    list,
    args,
    fetch(slice, limit) {
      const keys = [slice.after, slice.before].filter((key) => key !== undefined);
      if (siblings && keys.length === 0) return siblings.fetch(limit, slice.backward);
      const statement = buildPageOfOwnerSql(rows, slice);
      return mergeRowsOfServers(servers, { key: 'id', descending: !slice.backward, limit }, async (db) =>
        records.toNodes(await db.sql<Row>(statement, [...params, limit, ...keys]), params, db),
      );
    },
    async count() {
      if (siblings) return siblings.count();
      const counts = await Promise.all(
        servers.map((db) => db.sql<{ count: number }>(buildOwnedCountSql(rows), params)),
      );
      return counts.flat().reduce((sum, { count }) => sum + count, 0);
    },
  });
}

type PageStatement = Omit<OwnedPageQuery<never, never, readonly unknown[]>, 'records' | 'list' | 'args'> & {
  records: Pick<PageRecordSource<never, never, never>, 'columns' | 'table'>;
};

/** SQL of a page. Parameters: those of `rows`, the limit, the keys of the slice. */
export function buildPageOfOwnerSql(rows: PageStatement, slice: KeyRange): string {
  if (!rows.statementCache) return buildStatement(rows, slice);
  const variant = `${slice.after === undefined}${slice.before === undefined}${slice.backward}`;
  let statement = rows.statementCache.get(variant);
  if (statement === undefined) {
    statement = buildStatement(rows, slice);
    rows.statementCache.set(variant, statement);
  }
  return statement;
}

/**
 * The planner does not know the value of the limit parameter and would prefer to sort all rows of an owner; the constant inner limit
 * shows that a page is short, so that it scans the index.
 */
function buildStatement(rows: PageStatement, slice: KeyRange): string {
  const select = `select ${rows.records.columns} from ${rows.records.table} ${inOrder(rows, slice)}`;
  const limit = `limit $${rows.params.length + 1}`;
  return rows.isSelective
    ? `${select} ${limit}`
    : `select * from (${select} limit ${maxPageSize + 1}) listed ${limit}`;
}

export const buildOwnedCountSql = ({ records, owner, conditions }: PageStatement) =>
  `select count(*)::int as count from ${records.table} where ${[`${owner} = $1`, ...conditions].join(' and ')}`;

/**
 * The owner is a range condition and leads the ORDER BY, so that only an index that begins with the owner is usable. For
 * `owner = $1 order by id` the planner may scan the primary key instead: cheap while the owner has most rows, very slow when other
 * owners have the newer ones.
 */
function inOrder(
  { records, owner, params, conditions, isSelective = false }: PageStatement,
  { after, before, backward }: KeyRange,
): string {
  const id = `${records.table.split(' ').at(-1)}.id`;
  const below = after === undefined ? undefined : `$${params.length + 2}`;
  const above = before === undefined ? undefined : `$${params.length + (below ? 3 : 2)}`;
  const direction = backward ? 'asc' : 'desc';
  const within = [...(below ? [`${id} < ${below}`] : []), ...(above ? [`${id} > ${above}`] : [])];
  if (isSelective) {
    const where = [`${owner} = $1`, ...conditions, ...within];
    return `where ${where.join(' and ')} order by ${id} ${direction}`;
  }
  // Only one bound where the scan begins: with two, PostgreSQL may begin at the wider one.
  const [begin, end] = backward ? ['>', '<'] : ['<', '>'];
  const [from, to] = backward ? [above, below && `${id} < ${below}`] : [below, above && `${id} > ${above}`];
  const start = from ? `(${owner}, ${id}) ${begin} ($1, ${from})` : `${owner} ${begin}= $1`;
  const where = [`${owner} ${end}= $1`, start, ...(to ? [to] : []), ...conditions];
  return `where ${where.join(' and ')} order by ${owner} ${direction}, ${id} ${direction}`;
}
