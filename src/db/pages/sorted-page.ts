/** Keyset pages in any order: a cursor contains the sort key and the id of its row. */
import { loadKeysetPage, type Page, type PageArgs } from '../../lib/paging.ts';

/** Sort key of a row (null if it has none), and its id, which orders rows with equal keys. */
export type SortPosition = readonly [key: string | number | null, id: string];

export interface SortedRow {
  id: string;
  sort_key: string | number | null;
}

/** Range between two rows of a sorted list, read from its start, or from its end if `backward`. */
export interface SortedRange {
  after: SortPosition | undefined;
  before: SortPosition | undefined;
  backward: boolean;
}

interface SortedPageQuery<Row extends SortedRow, T> {
  /** Name of the list that its cursors are bound to: owner, filter and order. */
  list: string;
  args: PageArgs;
  fetch(slice: SortedRange, limit: number): Promise<readonly Row[]>;
  /** Called for this request alone; the nodes are not shared. */
  toNodes(rows: readonly Row[]): readonly T[] | Promise<readonly T[]>;
  count(): Promise<number>;
}

export function loadSortedPage<Row extends SortedRow, T extends { id: string }>(
  { keys: { secret } }: { readonly keys: { readonly secret: Uint8Array } },
  { list, args, fetch, toNodes, count }: SortedPageQuery<Row, T>,
): Promise<Page<T>> {
  const positions = new Map<string, string>();
  return loadKeysetPage({
    secret,
    list,
    args,
    count,
    keyOf: ({ id }) => positions.get(id) ?? '',
    async fetch({ after, before, backward }, limit) {
      const rows = await fetch(
        { after: parsePosition(after), before: parsePosition(before), backward },
        limit,
      );
      for (const { sort_key, id } of rows)
        positions.set(id, JSON.stringify([sort_key, id] satisfies SortPosition));
      return toNodes(rows);
    },
  });
}

/** Cursors are signed, so that only positions made here are parsed. */
const parsePosition = (key: string | undefined) =>
  key === undefined ? undefined : (JSON.parse(key) as SortPosition);

/** SQL conditions of a slice, the direction of its order, and the values of the parameters from `$<firstParam>` on. */
export function buildKeysetRangeConditions(
  { key, id, type, descending }: { key: string; id: string; type: string; descending: boolean },
  { after, before, backward }: SortedRange,
  firstParam: number,
) {
  const [later, earlier] = descending ? ['<', '>'] : ['>', '<'];
  const compare = (sign: string, param: number) =>
    `(${key}, ${id}) ${sign} ($${param}::${type}, $${param + 1}::uuid)`;
  return {
    after: after && compare(later, firstParam),
    before: before && compare(earlier, after ? firstParam + 2 : firstParam),
    direction: descending === backward ? 'asc' : 'desc',
    params: [...(after ?? []), ...(before ?? [])],
  };
}
