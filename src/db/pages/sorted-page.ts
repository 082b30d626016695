/** Pages in any order: the cursor carries what its row is sorted by, and its id. */
import { loadPage, type Page, type PageArgs } from '../../lib/paging.ts';

/** What a row is sorted by, if it has that, and its id among those that are equal in it. */
export type SortPosition = readonly [key: string | number | null, id: string];

export interface SortedRow {
  id: string;
  sort_key: string | number | null;
}

/** What lies between two rows of a sorted list, from its beginning or, backwards, from its end. */
export interface SortedSlice {
  after: SortPosition | undefined;
  before: SortPosition | undefined;
  backward: boolean;
}

export interface SortedPageQuery<Row extends SortedRow, T> {
  /** What its cursors are bound to: the owner, the filter and the order. */
  list: string;
  args: PageArgs;
  fetch(slice: SortedSlice, limit: number): Promise<readonly Row[]>;
  toNodes(rows: readonly Row[]): readonly T[] | Promise<readonly T[]>;
  count(): Promise<number>;
}

export function loadSortedPage<Row extends SortedRow, T extends { id: string }>(
  { keys: { secret } }: { readonly keys: { readonly secret: Uint8Array } },
  { list, args, fetch, toNodes, count }: SortedPageQuery<Row, T>,
): Promise<Page<T>> {
  const positions = new Map<string, string>();
  return loadPage({
    secret,
    list,
    args,
    count,
    keyOf: ({ id }) => positions.get(id) ?? '',
    async fetch({ after, before, backward }, limit) {
      const rows = await fetch({ after: positionOf(after), before: positionOf(before), backward }, limit);
      for (const { sort_key, id } of rows)
        positions.set(id, JSON.stringify([sort_key, id] satisfies SortPosition));
      return toNodes(rows);
    },
  });
}

/** Only what was made here can be read here: cursors are signed. */
const positionOf = (key: string | undefined) =>
  key === undefined ? undefined : (JSON.parse(key) as SortPosition);

/** SQL of a slice: what bounds it, which way its rows come, and the values of the parameters from `place` on. */
export function sliceConditionsSql(
  { key, id, type, descending }: { key: string; id: string; type: string; descending: boolean },
  { after, before, backward }: SortedSlice,
  place: number,
) {
  const [later, earlier] = descending ? ['<', '>'] : ['>', '<'];
  const beyond = (sign: string, at: number) => `(${key}, ${id}) ${sign} ($${at}::${type}, $${at + 1}::uuid)`;
  return {
    after: after && beyond(later, place),
    before: before && beyond(earlier, after ? place + 2 : place),
    direction: descending === backward ? 'asc' : 'desc',
    params: [...(after ?? []), ...(before ?? [])],
  };
}
