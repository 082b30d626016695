/** Walks lists to their end, page by page, both ways. */
import { expect } from 'vitest';
import type { Person, TestApp } from './test-app.ts';

interface ListAnswer {
  items: { id: string }[];
  cursor: string | null;
}

/** Ids of a REST list from the first page to the last. */
export async function listAllIds(t: TestApp, path: string, query: string, limit: number, as: Person) {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { status: number; body: ListAnswer } = await t.rest<ListAnswer>(
      'GET',
      `${path}?${query}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`,
      { as },
    );
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    expect(page.body.items.length).toBeLessThanOrEqual(limit);
    seen.push(...page.body.items.map(({ id }) => id));
    cursor = page.body.cursor;
  } while (cursor);
  return seen;
}

interface Connection {
  totalCount: number;
  nodes: { id: string }[];
  pageInfo: { startCursor: string; hasPreviousPage: boolean };
}

/** Ids of a connection from the last page to the first, in the order of the list; `field` takes `$last` and `$before`. */
export async function listAllIdsBackwards(t: TestApp, field: string, last: number, as: Person) {
  const name = /^\w+/.exec(field)?.[0] ?? '';
  const asked = `query ($last: Int, $before: String) { ${field} { totalCount nodes { id } pageInfo { startCursor hasPreviousPage } } }`;
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const { data } = await t.graphql(asked, { last, before }, { as });
    const page: Connection | undefined = (data as unknown as Record<string, Connection>)[name];
    if (!page) throw new Error(`There is no ${name}.`);
    seen.unshift(...page.nodes.map(({ id }) => id));
    before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
    if (!before) expect(page.totalCount).toBe(seen.length);
  } while (before);
  return seen;
}

/** What a list must be: those that fit, by their keys, and by age where these are equal. `all` are the oldest first. */
export function expectedIds<T extends { id: string }>(
  all: readonly T[],
  fits: (one: T, index: number) => boolean,
  keyOf: (one: T) => number | string,
  descending: boolean,
): string[] {
  const rank = new Map(all.map((one, index) => [one.id, index]));
  const compare = (a: T, b: T) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    return first < second ? -1 : first > second ? 1 : (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0);
  };
  const kept = all.filter(fits).sort(compare);
  return (descending ? kept.reverse() : kept).map(({ id }) => id);
}
