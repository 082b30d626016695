/** Filters and sort orders of product lists: all pages in every order, and only visible products. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Shop } from '../support/app.ts';
import { create, guest, type Item, list, pathOf, shop, t } from './setup.ts';

interface CreatedProduct extends Item {
  createdAt: number;
}

interface BackwardPage {
  nodes: { id: string }[];
  pageInfo: { startCursor: string; hasPreviousPage: boolean; hasNextPage: boolean };
}

let store: Shop;
let created: CreatedProduct[];

const colours = ['red', 'green', 'blue'];
/** Names, prices and stock repeat, so that many products have equal sort keys. */
const sampleProduct = (number: number) => ({
  name: ['Cup', 'bowl', 'Éclair', 'apple', 'Zebra cup'][number % 5],
  category: number % 2 === 0 ? 'even' : 'odd',
  ...(number % 10 === 9 ? { status: 'DRAFT' } : {}),
  variants: [
    {
      name: 'One',
      attributes: [
        { name: 'colour', value: colours[number % 3] },
        { name: 'size', value: number % 4 === 0 ? 'L, extra: wide' : 'S' },
      ],
      pricing: {
        markets: [
          { marketId: 'US', currency: 'USD', price: 100 * (number % 7) },
          ...(number % 3 === 0 ? [{ marketId: 'EU', currency: 'EUR', price: 50 }] : []),
        ],
      },
      ...(number % 6 === 5 ? {} : { inventory: { tracked: true, quantity: number % 4 } }),
    },
    {
      name: 'Two',
      pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 100 * (number % 7) + 1 }] },
      inventory: { quantity: 0 },
    },
  ],
});

const count = 40;

beforeAll(async () => {
  store = await t.shop();
  created = [];
  for (let number = 0; number < count; number += 1)
    created.push((await create(sampleProduct(number), store)) as CreatedProduct);
});

const numbersOf = (items: readonly { id: string }[]) =>
  items.map(({ id }) => created.findIndex((product) => product.id === id));

async function listAll(query: string, limit: number, as = guest): Promise<number[]> {
  const seen: Item[] = [];
  let cursor: string | null = null;
  do {
    const answer = await list(`${query}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`, as, store);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.items.length).toBeLessThanOrEqual(limit);
    seen.push(...answer.body.items);
    cursor = answer.body.cursor;
  } while (cursor);
  return numbersOf(seen);
}

const stockOf = (number: number) => (number % 6 === 5 ? Number.POSITIVE_INFINITY : number % 4);
const bytes = (text: string) => Buffer.from(text.toLowerCase()).toString('hex');
type Key = (number: number) => string | number | undefined;

/** Sort key of each order; undefined: not in the list. */
const orders: Record<string, [key: Key, descending: boolean]> = {
  NEWEST: [() => 0, true],
  OLDEST: [() => 0, false],
  NAME: [(number) => bytes(sampleProduct(number).name ?? ''), false],
  NAME_DESC: [(number) => bytes(sampleProduct(number).name ?? ''), true],
  PRICE: [(number) => 100 * (number % 7), false],
  PRICE_DESC: [(number) => 100 * (number % 7), true],
  STOCK: [stockOf, false],
  STOCK_DESC: [stockOf, true],
};

function expectedOrder(name: string, keep: (number: number) => boolean): number[] {
  const [key, descending] = orders[name] ?? [() => 0, true];
  const compare = (a: number, b: number) => {
    const [ka, kb] = [key(a) ?? 0, key(b) ?? 0];
    return ka < kb ? -1 : ka > kb ? 1 : a - b;
  };
  const numbers = created
    .map((_product, number) => number)
    .filter((number) => number % 10 !== 9 && keep(number));
  return numbers.sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
}

const filters: Record<string, (number: number) => boolean> = {
  '': () => true,
  'minPrice=200&maxPrice=500': (number) => number % 7 >= 2 && number % 7 <= 5,
  'maxPrice=0': (number) => number % 7 === 0,
  'inStock=true': (number) => stockOf(number) > 0,
  'inStock=false': (number) => stockOf(number) === 0,
  'categoryIds=even': (number) => number % 2 === 0,
  'attributes=colour:red': (number) => number % 3 === 0,
  'attributes=colour:red,colour:blue': (number) => number % 3 !== 1,
  'attributes=colour:red,size:S': (number) => number % 3 === 0 && number % 4 !== 0,
  'attributes=%5B%22size:L,%20extra:%20wide%22%5D': (number) => number % 4 === 0,
  'attributes=colour:Red': () => false,
  'createdFrom=1&updatedFrom=1&createdTo=9999999999&updatedTo=9999999999': () => true,
  'createdTo=1': () => false,
};

describe('every sort order with every filter', () => {
  it('pages through the sorted result at any page size without gaps or duplicates, also with equal sort keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(orders)),
        fc.constantFrom(...Object.keys(filters)),
        fc.integer({ min: 3, max: 25 }),
        async (order, filter, limit) => {
          const query = `sort=${order}&market=us&${filter}`;
          expect(await listAll(query, limit)).toEqual(expectedOrder(order, filters[filter] ?? (() => true)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('pages backward through the same result', async () => {
    const document = `query ($b: ID!, $sort: ProductSort, $filter: ProductFilter, $last: Int, $before: String) {
      products(businessId: $b, sort: $sort, filter: $filter, last: $last, before: $before) {
        nodes { id } pageInfo { startCursor hasPreviousPage hasNextPage } } }`;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(orders)),
        fc.constantFrom({}, { inStock: true }, { attributes: ['colour:red'] }, { createdFrom: 1 }),
        fc.integer({ min: 4, max: 25 }),
        async (sort, filter, last) => {
          const seen: number[] = [];
          let before: string | null = null;
          do {
            const { data } = await t.graphql(
              document,
              { b: store.businessId, sort, filter: { market: 'US', ...filter }, last, before },
              { as: guest },
            );
            const { nodes, pageInfo }: BackwardPage = (data as unknown as { products: BackwardPage })
              .products;
            expect(pageInfo.hasNextPage).toBe(seen.length > 0);
            seen.unshift(...numbersOf(nodes));
            before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
          } while (before);
          const query = new URLSearchParams(
            Object.entries(filter).map(([name, value]) => [name, String(value)]),
          );
          expect(seen).toEqual(await listAll(`sort=${sort}&market=US&${query}`, 100));
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each(Object.keys(filters))('lists the products that match %s', async (filter) => {
    expect(await listAll(`market=US&${filter}`, 100)).toEqual(
      expectedOrder('NEWEST', filters[filter] ?? (() => true)),
    );
  });

  it('omits products that are not sold in the market when sorting by price', async () => {
    expect(await listAll('sort=PRICE&market=EU', 4)).toEqual(
      expectedOrder('OLDEST', (number) => number % 3 === 0),
    );
    expect(await listAll('sort=PRICE&market=nowhere', 4)).toEqual([]);
  });

  it.each([{ attributes: ['colour:red'] }, { selectedOptions: [{ name: 'colour', value: 'red' }] }])(
    'returns the same in GraphQL with %j, and the total count of the result',
    async (options) => {
      const { data } = await t.graphql(
        `query ($b: ID!, $filter: ProductFilter) { products(businessId: $b, first: 3, sort: PRICE_DESC, filter: $filter) { totalCount nodes { id } } }`,
        {
          b: store.businessId,
          filter: { market: 'US', minPrice: 300, status: 'ACTIVE', ...options },
        },
        { as: guest },
      );
      const expected = expectedOrder('PRICE_DESC', (number) => number % 7 >= 3 && number % 3 === 0);
      const page = (data as unknown as { products: { totalCount: number; nodes: { id: string }[] } })
        .products;
      expect([page.totalCount, numbersOf(page.nodes)]).toEqual([expected.length, expected.slice(0, 3)]);
    },
  );
});

describe('limits of product lists', () => {
  it.each([
    ['minPrice=1', 'market', 'REQUIRED'],
    ['sort=PRICE', 'market', 'REQUIRED'],
    ['market=US&minPrice=-1', 'minPrice', 'TOO_SMALL'],
    ['market=US&maxPrice=1.5', 'maxPrice', 'INVALID_TYPE'],
    ['inStock=perhaps', 'inStock', 'INVALID_TYPE'],
    ['sort=SIDEWAYS', 'sort', 'INVALID_VALUE'],
    ['attributes=colour', 'attributes.0', 'INVALID_FORMAT'],
    ['createdFrom=yesterday', 'createdFrom', 'INVALID_TYPE'],
    [`createdFrom=${2 ** 60}`, 'createdFrom', 'INVALID_TYPE'],
    ['sort=NAME&cursor=forged', 'cursor', 'INVALID_CURSOR'],
  ])('rejects %s with a 422', async (query, field, error) => {
    const answer = await list(query, guest, store);
    expect([answer.status, answer.body]).toMatchObject([422, { details: [{ field, error }] }]);
  });

  it('combines options of one name by OR, of different names by AND, and with attributes', async () => {
    const count = async (filter: object) => {
      const query =
        'query ($b: ID!, $filter: ProductFilter) { products(businessId: $b, filter: $filter) { totalCount } }';
      const { data } = await t.graphql(query, { b: store.businessId, filter }, { as: guest });
      return (data as unknown as { products: { totalCount: number } }).products.totalCount;
    };
    const [red, blue, small] = ['colour:red', 'colour:blue', 'size:S'].map((text) => {
      const [name, value] = text.split(':');
      return { name, value };
    });
    expect(await count({ selectedOptions: [red, blue, small] })).toBe(
      await count({ attributes: ['colour:red', 'colour:blue', 'size:S'] }),
    );
    expect(await count({ selectedOptions: [small], attributes: ['colour:red'] })).toBe(
      await count({ attributes: ['colour:red', 'size:S'] }),
    );
  });

  it('rejects a cursor of another filter or sort order', async () => {
    const { body } = await list('limit=2&sort=NAME&inStock=true', guest, store);
    const listWithCursor = (query: string, at = store) => list(`${query}&cursor=${body.cursor}`, guest, at);
    expect((await listWithCursor('limit=5&sort=NAME&inStock=true')).status).toBe(200);
    for (const query of ['sort=NAME', 'sort=NAME_DESC&inStock=true', 'sort=NAME&inStock=false', ''])
      expect((await listWithCursor(query)).status, query).toBe(422);
    expect((await listWithCursor('sort=NAME&inStock=true', shop)).status).toBe(422);
  });

  it('shows drafts only to staff of the shop', async () => {
    const drafts = created.map((_product, number) => number).filter((number) => number % 10 === 9);
    const listDrafts = async (as: typeof guest) =>
      (await listAll('sort=NAME&status=DRAFT', 50, as)).sort((a, b) => a - b);
    expect(await listDrafts(store.admin)).toEqual(drafts);
    expect(await listDrafts(shop.admin)).toEqual([]);
    expect(await listDrafts(guest)).toEqual([]);
    expect(await listAll('sort=STOCK', 100, store.admin)).toHaveLength(count);
  });

  it('reflects changes of price, attribute, name and stock, and removes deleted products from the index tables', async () => {
    const product = await create({ ...sampleProduct(1), name: 'Temporary' }, store);
    const isListed = async (query: string) =>
      (await list(`${query}&market=US&limit=100`, guest, store)).body.items.some(
        ({ id }) => id === product.id,
      );
    expect(await isListed('maxPrice=100&inStock=true')).toBe(true);
    const variants = product.variants.map(({ id }) => ({ id, name: 'Same' }));
    await t.rest('POST', `${pathOf(store)}/${product.id}/stock`, {
      as: store.admin,
      body: { variantId: variants[0]?.id, change: -1 },
    });
    expect(await isListed('inStock=true')).toBe(false);
    await t.rest('PUT', `${pathOf(store)}/${product.id}`, {
      as: store.admin,
      body: {
        variants: [
          {
            ...variants[0],
            attributes: [{ name: 'colour', value: 'mauve' }],
            pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 9000 }] },
            inventory: { tracked: true, quantity: 3 },
          },
        ],
      },
    });
    expect(await isListed('minPrice=9000&attributes=colour:mauve&inStock=true')).toBe(true);
    expect(await isListed('attributes=colour:green')).toBe(false);
    await t.rest('DELETE', `${pathOf(store)}/${product.id}`, { as: store.admin });
    expect(await isListed('minPrice=9000')).toBe(false);
    const indexRows = await t.db.sql(
      `select product_id from product_listings where product_id = $1 union all select product_id from product_prices where product_id = $1
       union all select product_id from product_attributes where product_id = $1 union all select product_id from product_stock where product_id = $1`,
      [product.id],
    );
    expect(indexRows).toEqual([]);
  });

  it.each(['sort=NAME', 'sort=PRICE&market=US&inStock=true', 'sort=STOCK&attributes=colour:red'])(
    'needs one statement for %s when the products are cached',
    async (query) => {
      await list(`limit=20&${query}`, guest, store);
      t.statements.length = 0;
      await list(`limit=20&${query}`, guest, store);
      expect(t.statements).toHaveLength(1);
    },
  );
});
