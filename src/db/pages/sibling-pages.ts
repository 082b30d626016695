/** Batched lists of several owners in one response: one statement reads all pages, and one counts all lists. */
import DataLoader from 'dataloader';
import { maxLoaderBatchSize, memoizePerRequest } from '../../lib/cache/per-request-loader.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';
import type { Db } from '../handles.ts';
import {
  buildOwnedCountSql,
  buildPageOfOwnerSql,
  loadOwnedPage,
  type OwnedPageQuery,
  type PageQueryContext,
  spannedServersOf,
} from './owned-page.ts';
import type { PageRecordSource } from './page-record-source.ts';

interface SiblingPageQuery<Params extends readonly unknown[]>
  extends Omit<OwnedPageQuery<never, never, never>, 'records' | 'args' | 'params'> {
  params: Params;
}

/** Loaders of one request; loads of the same tick are batched. */
interface Loaders<T> {
  readonly nodes: Map<string, DataLoader<string, readonly T[]>>;
  readonly counts: DataLoader<string, number>;
}

/** `queryOf` must return the same query for every owner, except for parameter `$1` and the name of the list. */
export function createSiblingPageLoader<
  Request extends PageQueryContext,
  Row extends { id: string },
  T extends { id: string },
  Params extends readonly unknown[],
>(
  records: PageRecordSource<Row, T, Params>,
  queryOf: (request: Request, owner: string) => SiblingPageQuery<Params>,
): (request: Request, owner: string, args: PageArgs) => Promise<Page<T>> {
  const rowsOf = (request: Request, owner: string) => ({ records, ...queryOf(request, owner) });
  const loadersOf = memoizePerRequest(
    (request: Request): Loaders<T> => ({
      nodes: new Map(),
      counts: new DataLoader((owners) => count(request, owners), { maxBatchSize: maxLoaderBatchSize }),
    }),
  );

  async function fetch(request: Request, owners: readonly string[], limit: number, backward: boolean) {
    const rows = rowsOf(request, owners[0] ?? '');
    const params = [owners, ...rows.params.slice(1), limit];
    const statement = forEach(buildPageOfOwnerSql(rows, { backward }), `id ${backward ? 'asc' : 'desc'}`);
    const readLists = async (db: Db) => {
      const foundRows = await db.sql<Row & { of_owner: string }>(statement, params);
      const ownerOf = new Map(foundRows.map(({ id, of_owner }) => [id, of_owner]));
      const lists = new Map<string, T[]>();
      for (const node of await records.toNodes(foundRows, rows.params, db)) {
        const owner = ownerOf.get(node.id) ?? '';
        const list = lists.get(owner);
        if (list) list.push(node);
        else lists.set(owner, [node]);
      }
      return lists;
    };
    // All rows of an owner are on one server; on two while its business is being moved.
    const lists = new Map((await Promise.all(serversOf(request).map(readLists))).flatMap((map) => [...map]));
    return owners.map((owner) => lists.get(owner) ?? []);
  }

  async function count(request: Request, owners: readonly string[]) {
    const rows = rowsOf(request, owners[0] ?? '');
    const params = [owners, ...rows.params.slice(1)];
    const statement = forEach(buildOwnedCountSql(rows), 'count');
    const foundRows = await Promise.all(
      serversOf(request).map((db) => db.sql<{ of_owner: string; count: number }>(statement, params)),
    );
    const counts = new Map<string, number>();
    for (const { of_owner, count } of foundRows.flat())
      counts.set(of_owner, Math.max(counts.get(of_owner) ?? 0, count));
    return owners.map((owner) => counts.get(owner) ?? 0);
  }

  return (request, owner, args) => {
    const { nodes, counts } = loadersOf(request);
    return loadOwnedPage<Row, T, Params>(
      request,
      { ...rowsOf(request, owner), args },
      {
        fetch(limit, backward) {
          const key = `${limit} ${backward}`;
          const loader =
            nodes.get(key) ??
            new DataLoader((owners: readonly string[]) => fetch(request, owners, limit, backward), {
              maxBatchSize: maxLoaderBatchSize,
            });
          nodes.set(key, loader);
          return loader.load(owner);
        },
        count: () => counts.load(owner),
      },
    );
  };
}

const serversOf = ({ db }: PageQueryContext): readonly Db[] => spannedServersOf(db) ?? [db];

/** Runs a statement on the owner `$1` for every owner of the array `$1`. */
const forEach = (statement: string, order: string) =>
  `select q.owner as of_owner, found.* from unnest($1::uuid[]) as q(owner)
   cross join lateral (${statement.replace(/\$1(?!\d)/g, 'q.owner')}) found order by found.${order}`;
