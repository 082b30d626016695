/** Reads all pages of a list, forwards in REST and backwards in GraphQL. */
import { expect } from 'vitest';
import type { Person, TestApp } from './test-app.ts';

interface ListResponse {
  items: { id: string }[];
  cursor: string | null;
}

/** Ids of all pages of a REST list, in order. */
export async function listAllIds(t: TestApp, path: string, query: string, limit: number, as: Person) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { status: number; body: ListResponse } = await t.rest<ListResponse>(
      'GET',
      `${path}?${query}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`,
      { as },
    );
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    expect(page.body.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.body.items.map(({ id }) => id));
    cursor = page.body.cursor;
  } while (cursor);
  return ids;
}

interface Connection {
  totalCount: number;
  nodes: { id: string }[];
  pageInfo: { startCursor: string; hasPreviousPage: boolean };
}

/** Ids of a connection, read from the last page to the first and returned in the order of the list. `field` uses `$last` and `$before`. */
export async function listAllIdsBackwards(t: TestApp, field: string, last: number, as: Person) {
  const name = /^\w+/.exec(field)?.[0] ?? '';
  const query = `query ($last: Int, $before: String) { ${field} { totalCount nodes { id } pageInfo { startCursor hasPreviousPage } } }`;
  const ids: string[] = [];
  let before: string | null = null;
  do {
    const { data } = await t.graphql(query, { last, before }, { as });
    const page: Connection | undefined = (data as unknown as Record<string, Connection>)[name];
    if (!page) throw new Error(`No ${name} in the response.`);
    ids.unshift(...page.nodes.map(({ id }) => id));
    before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
    if (!before) expect(page.totalCount).toBe(ids.length);
  } while (before);
  return ids;
}

/** Expected ids of a list: matching records sorted by key, then by age. `all` is sorted oldest first. */
export function expectedIds<T extends { id: string }>(
  all: readonly T[],
  matches: (record: T, index: number) => boolean,
  keyOf: (record: T) => number | string,
  descending: boolean,
): string[] {
  const rank = new Map(all.map((record, index) => [record.id, index]));
  const compare = (a: T, b: T) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    return first < second ? -1 : first > second ? 1 : (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0);
  };
  const matching = all.filter(matches).sort(compare);
  return (descending ? matching.reverse() : matching).map(({ id }) => id);
}
