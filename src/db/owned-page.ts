/** Pages of one owner's rows, newest first: the list of every domain. */

import { type Page, type PageArgs, page } from '../lib/paging.ts';
import type { Db } from './sql.ts';
import { shared } from './turn.ts';

interface Reader {
  readonly db: Pick<Db, 'sql' | 'short'>;
  readonly keys: { readonly secret: Uint8Array };
}

export interface OwnedRows<Row, T> {
  /** What its cursors are bound to, for example `products:<businessId>`. */
  list: string;
  args: PageArgs;
  columns: string;
  table: string;
  /** The column that holds the owner, who is the first parameter. */
  owner: string;
  params: readonly unknown[];
  conditions: readonly string[];
  /** Some condition is likely to leave few rows: the planner may look for them its own way. */
  narrowed?: boolean;
  /** Called when nothing is found: throws when there cannot be anything, as under a business that does not exist. */
  whenEmpty?(): Promise<void>;
  /** Looks at nothing but the rows and what is among `params`: who sends the same statement in one turn shares what it returns. */
  toNodes(rows: readonly Row[]): readonly T[] | Promise<readonly T[]>;
}

/** Rows that several requests of one turn share become nodes once. */
const nodesOf = new WeakMap<readonly unknown[], Promise<readonly unknown[]>>();

export function ownedPage<Row, T extends { id: string }>(
  { db, keys }: Reader,
  rows: OwnedRows<Row, T>,
): Promise<Page<T>> {
  const { list, args, columns, table, owner, params, conditions } = rows;
  return page({
    secret: keys.secret,
    list,
    args,
    keyOf: ({ id }) => id,
    async fetch(after, limit) {
      const statement = `select ${columns} from ${table} ${newestFirst(rows, after !== undefined)} limit $${params.length + 1}`;
      const values = after === undefined ? [...params, limit] : [...params, limit, after];
      if (rows.narrowed) {
        const nodes = await rows.toNodes(await db.sql<Row>(statement, values));
        if (nodes.length === 0) await rows.whenEmpty?.();
        return nodes;
      }
      const found = await shared<Row>(db, statement, values);
      const nodes = nodesOf.get(found) ?? Promise.resolve(rows.toNodes(found));
      nodesOf.set(found, nodes);
      if (found.length === 0) await rows.whenEmpty?.();
      return nodes as Promise<readonly T[]>;
    },
    async count() {
      const [row] = await db.sql<{ count: number }>(
        `select count(*)::int as count from ${table} where ${[`${owner} = $1`, ...conditions].join(' and ')}`,
        params,
      );
      return row?.count ?? 0;
    },
  });
}

/**
 * The owner is a range and leads the order, so that only an index which begins with the owner will do. Of
 * `owner = $1 order by id` the planner thinks that it could as well walk down the primary key: cheap while the owner
 * has most rows, endless when others have the newer ones.
 */
function newestFirst(
  { table, owner, params, conditions, narrowed = false }: Omit<OwnedRows<never, never>, 'toNodes'>,
  below: boolean,
): string {
  const id = `${table.split(' ').at(-1)}.id`;
  const after = `$${params.length + 2}`;
  if (narrowed) {
    const where = [`${owner} = $1`, ...conditions, ...(below ? [`${id} < ${after}`] : [])];
    return `where ${where.join(' and ')} order by ${id} desc`;
  }
  // One upper bound only: of two, the scan may begin at the wider one.
  const start = below ? `(${owner}, ${id}) < ($1, ${after})` : `${owner} <= $1`;
  const where = [`${owner} >= $1`, start, ...conditions];
  return `where ${where.join(' and ')} order by ${owner} desc, ${id} desc`;
}
