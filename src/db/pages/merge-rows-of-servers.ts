/** First rows of a list whose rows are on several servers. */
import type { QueryHandle } from '../handles.ts';
import type { PrismaModel } from './prisma-page.ts';

interface RowOrder<Row> {
  /** Rows with equal keys stay in the order of the servers. */
  key: keyof Row & string;
  descending: boolean;
  limit: number;
  /** Identifies a row. Default: by its key. */
  identityOf?(row: Row): unknown;
}

/**
 * Exact if `read` returns the first `limit` rows of a server in this order. Two servers have the rows of a business while it is being
 * moved: each is returned once.
 */
export async function mergeRowsOfServers<Server extends QueryHandle, Row extends object>(
  servers: readonly Server[],
  { key, descending, limit, identityOf = (row) => row[key] }: RowOrder<Row>,
  read: (server: Server) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const lists = await Promise.all(servers.map(read));
  const [rows = []] = lists;
  if (lists.length === 1) return rows;
  const sign = descending ? -1 : 1;
  const rowByIdentity = new Map<unknown, Row>();
  for (const row of lists.flat())
    if (!rowByIdentity.has(identityOf(row))) rowByIdentity.set(identityOf(row), row);
  return [...rowByIdentity.values()].sort((a, b) => sign * compare(a[key], b[key])).slice(0, limit);
}

const compare = <Value>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

/** A model with the rows of all servers, for `loadPrismaPage`. */
export function mergePrismaModels<Row extends object>(
  servers: readonly QueryHandle[],
  modelOf: (server: QueryHandle) => PrismaModel<Row>,
): PrismaModel<Row> {
  return {
    async findMany(query) {
      // The key is the last one; those before it are equal for all rows.
      const [[key, direction] = ['id', 'desc']] = [query.orderBy].flat().flatMap(Object.entries).slice(-1);
      const order = { key: key as keyof Row & string, descending: direction === 'desc', limit: query.take };
      return [
        ...(await mergeRowsOfServers<QueryHandle, Row>(servers, order, async (server) =>
          modelOf(server).findMany(query),
        )),
      ];
    },
    async count(query) {
      const counts = await Promise.all(servers.map(async (server) => modelOf(server).count(query)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
