/** Pages in any order: the cursor carries what the last row is sorted by, and its id. */
import { type Page, type PageArgs, page } from '../lib/paging.ts';

/** What a row is sorted by, and its id among those that are equal in it. */
export type Position = readonly [key: string | number, id: string];

export interface Sorted {
  id: string;
  key: string | number;
}

export interface SortedRows<Row extends Sorted, T> {
  /** What its cursors are bound to: the owner, the filter and the order. */
  list: string;
  args: PageArgs;
  fetch(after: Position | undefined, limit: number): Promise<readonly Row[]>;
  toNodes(rows: readonly Row[]): readonly T[] | Promise<readonly T[]>;
  count(): Promise<number>;
}

export function sortedPage<Row extends Sorted, T extends { id: string }>(
  { keys: { secret } }: { readonly keys: { readonly secret: Uint8Array } },
  { list, args, fetch, toNodes, count }: SortedRows<Row, T>,
): Promise<Page<T>> {
  const positions = new Map<string, string>();
  return page({
    secret,
    list,
    args,
    count,
    keyOf: ({ id }) => positions.get(id) ?? '',
    async fetch(after, limit) {
      const rows = await fetch(after === undefined ? undefined : (JSON.parse(after) as Position), limit);
      for (const { key, id } of rows) positions.set(id, JSON.stringify([key, id] satisfies Position));
      return toNodes(rows);
    },
  });
}
