/** Product lists: paging, simple filters, search and visibility. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { seedGeneratedCatalogue } from '../../src/seed/generated-catalogue.ts';
import type { Shop } from '../support/app.ts';
import { create, guest, list, pathOf, shop, t } from './setup.ts';

describe('paging', () => {
  let big: Shop;
  beforeAll(async () => {
    big = await t.shop();
    await seedGeneratedCatalogue(t.db, big.businessId, 130);
  });

  it('pages through the whole list, newest first, without gaps or duplicates, at any page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 7, max: 120 }), async (limit) => {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const { body } = await list(`limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`, guest, big);
          seen.push(...body.items.map(({ id }) => id));
          expect(body.items.length).toBeLessThanOrEqual(Math.min(limit, 100));
          cursor = body.cursor;
        } while (cursor);
        expect(seen).toHaveLength(130);
        expect(seen).toEqual([...new Set(seen)].sort().reverse());
      }),
      { numRuns: 6 },
    );
  });

  it('keeps pages stable while products are created', async () => {
    const first = await list('limit=3', guest, big);
    await create({ name: 'Newcomer' }, big);
    const second = await list(`limit=3&cursor=${first.body.cursor}`, guest, big);
    expect(second.body.items[0]?.name).toBe('Sample 127');
  });

  it.each([
    ['limit=0', 'limit', 'TOO_SMALL'],
    ['limit=-5', 'limit', 'TOO_SMALL'],
    ['limit=1.5', 'limit', 'INVALID_TYPE'],
    ['limit=ten', 'limit', 'INVALID_TYPE'],
    ['cursor=forged', 'cursor', 'INVALID_CURSOR'],
    ['cursor=%00', 'cursor', 'INVALID_TEXT'],
  ])('rejects %s with a 422', async (query, field, error) => {
    const answer = await list(query, guest, big);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ error: 'VALIDATION_FAILED', details: [{ field, error }] });
  });

  it('clamps large limits, and treats empty and null cursors as absent', async () => {
    for (const query of [
      'limit=1000000000',
      'limit=1e9',
      'limit=99999999999999999999',
      'limit=100&cursor=',
      'limit=100&cursor=null',
    ]) {
      expect((await list(query, guest, big)).body.items, query).toHaveLength(100);
    }
  });

  it('rejects a cursor of another list and a tampered cursor', async () => {
    const { body } = await list('limit=1', guest, big);
    expect((await list(`cursor=${body.cursor}`, guest, shop)).status).toBe(422);
    const cursor = body.cursor ?? '';
    const tampered = `${cursor.slice(0, -2)}${cursor.at(-2) === 'A' ? 'B' : 'A'}${cursor.at(-1)}`;
    expect((await list(`cursor=${tampered}`, guest, big)).status).toBe(422);
  });

  it('returns edges, nodes and a total count in GraphQL', async () => {
    const query = `query ($b: ID!, $after: String) { products(businessId: $b, first: 2, after: $after) {
      totalCount edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const { data } = await t.graphql(query, { b: big.businessId }, { as: guest });
    const page = (
      data as unknown as {
        products: {
          totalCount: number;
          edges: { cursor: string; node: object }[];
          nodes: object[];
          pageInfo: object;
        };
      }
    ).products;
    expect(page.edges.map(({ node }) => node)).toEqual(page.nodes);
    expect(page).toMatchObject({
      totalCount: 131,
      pageInfo: {
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: page.edges[0]?.cursor,
        endCursor: page.edges[1]?.cursor,
      },
    });
  });

  it.each([1, 10, 100])('needs the same number of statements for %i items', async (limit) => {
    const count = async (run: () => Promise<unknown>) => {
      t.statements.length = 0;
      await run();
      return t.statements.length;
    };
    const cold = await t.shop();
    await t.db.write('update products set version = version + 1 where business_id = $1', [big.businessId]);
    expect(await count(() => list(`limit=${limit}`, guest, big))).toBe(2);
    // Cached versions are not read again.
    expect(await count(() => list(`limit=${limit}`, guest, big))).toBe(1);
    const query =
      'query ($b: ID!, $n: Int) { products(businessId: $b, first: $n) { nodes { id variants { id inventory { quantity isLow } } } } }';
    expect(await count(() => t.graphql(query, { b: big.businessId, n: limit }, { as: cold.admin }))).toBe(1);
  });
});

describe('filters and search', () => {
  let search: Shop;
  beforeAll(async () => {
    search = await t.shop();
    await create(
      {
        name: 'Blue running shoes',
        category: 'shoes',
        description: 'For marathons',
        variants: [{ sku: 'RUN-42' }],
      },
      search,
    );
    await create({ name: 'Red hat', category: 'hats', description: 'Wool' }, search);
    await create(
      { name: 'Green scarf', category: 'scarves', description: 'Goes with running, too', status: 'ARCHIVED' },
      search,
    );
  });
  const names = async (query: string, as = guest) =>
    (await list(query, as, search)).body.items.map(({ name }) => name);

  it.each([
    ['query=shoe', ['Blue running shoes']],
    ['query=RUNNING%20shoes', ['Blue running shoes']],
    ['query=marathon', ['Blue running shoes']],
    ['query=run-42', ['Blue running shoes']],
    ['query=hats', ['Red hat']],
    ['query=nothing', []],
    ['query=%27%29%3B--%20%26%7C!', []],
    ['category=hats', ['Red hat']],
    ['categoryIds=hats,shoes', ['Red hat', 'Blue running shoes']],
    ['categoryIds=%5B%22hats%22%5D', ['Red hat']],
    ['categoryIds=hats&categoryIds=shoes', ['Red hat', 'Blue running shoes']],
    ['status=ARCHIVED', []],
    ['unknown=parameter&category=hats', ['Red hat']],
  ])('filters by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('shows archived products to staff only, in lists, counts and lookups', async () => {
    expect(await names('query=running', search.admin)).toEqual(['Green scarf', 'Blue running shoes']);
    expect(await names('status=ARCHIVED', search.admin)).toEqual(['Green scarf']);
    const editor = await t.addMember(search, await t.person(), 'EDITOR');
    for (const [as, count] of [
      [guest, 2],
      [shop.admin, 2],
      [editor, 2],
      [search.admin, 3],
    ] as const) {
      const { data } = await t.graphql(
        'query ($b: ID!) { products(businessId: $b) { totalCount nodes { id } } }',
        { b: search.businessId },
        { as },
      );
      expect(data).toMatchObject({ products: { totalCount: count, nodes: { length: count } } });
      const status = (await t.rest('GET', `${pathOf(search)}/green-scarf`, { as })).status;
      expect(status).toBe(count === 3 ? 200 : 404);
    }
  });

  it('filters by ids and ignores unknown ones', async () => {
    const [first] = (await list('', guest, search)).body.items;
    expect(await names(`ids=${first?.id},${newId()},nonsense`)).toEqual([first?.name]);
  });
});
