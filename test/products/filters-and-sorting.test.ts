/** Filters and orders of the catalogue: every page of every order, and nothing that the viewer may not see. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Shop } from '../support/app.ts';
import { create, guest, type Item, list, pathOf, shop, t } from './setup.ts';

interface Made extends Item {
  createdAt: number;
}

interface Backwards {
  nodes: { id: string }[];
  pageInfo: { startCursor: string; hasPreviousPage: boolean; hasNextPage: boolean };
}

let store: Shop;
let made: Made[];

const colours = ['red', 'green', 'blue'];
/** Names, prices and stock repeat, so that many are equal in what they are sorted by. */
const thing = (number: number) => ({
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
  made = [];
  for (let number = 0; number < count; number += 1) made.push((await create(thing(number), store)) as Made);
});

const numbersOf = (items: readonly { id: string }[]) =>
  items.map(({ id }) => made.findIndex((one) => one.id === id));

async function walk(query: string, limit: number, as = guest): Promise<number[]> {
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

/** By what each order sorts; undefined: not in the list. */
const orders: Record<string, [key: Key, descending: boolean]> = {
  NEWEST: [() => 0, true],
  OLDEST: [() => 0, false],
  NAME: [(number) => bytes(thing(number).name ?? ''), false],
  NAME_DESC: [(number) => bytes(thing(number).name ?? ''), true],
  PRICE: [(number) => 100 * (number % 7), false],
  PRICE_DESC: [(number) => 100 * (number % 7), true],
  STOCK: [stockOf, false],
  STOCK_DESC: [stockOf, true],
};

function sorted(name: string, keep: (number: number) => boolean): number[] {
  const [key, descending] = orders[name] ?? [() => 0, true];
  const compare = (a: number, b: number) => {
    const [ka, kb] = [key(a) ?? 0, key(b) ?? 0];
    return ka < kb ? -1 : ka > kb ? 1 : a - b;
  };
  const numbers = made.map((_one, number) => number).filter((number) => number % 10 !== 9 && keep(number));
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

describe('every order with every filter', () => {
  it('walks the sorted whole at any page size, without gaps or repeats, also where keys are equal', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(orders)),
        fc.constantFrom(...Object.keys(filters)),
        fc.integer({ min: 3, max: 25 }),
        async (order, filter, limit) => {
          const query = `sort=${order}&market=us&${filter}`;
          expect(await walk(query, limit)).toEqual(sorted(order, filters[filter] ?? (() => true)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('walks back from the end just as it walked there', async () => {
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
            const { nodes, pageInfo }: Backwards = (data as unknown as { products: Backwards }).products;
            expect(pageInfo.hasNextPage).toBe(seen.length > 0);
            seen.unshift(...numbersOf(nodes));
            before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
          } while (before);
          const query = new URLSearchParams(
            Object.entries(filter).map(([name, value]) => [name, String(value)]),
          );
          expect(seen).toEqual(await walk(`sort=${sort}&market=US&${query}`, 100));
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each(Object.keys(filters))('finds what %s leaves', async (filter) => {
    expect(await walk(`market=US&${filter}`, 100)).toEqual(sorted('NEWEST', filters[filter] ?? (() => true)));
  });

  it('leaves out of a price order what is not sold in the market', async () => {
    expect(await walk('sort=PRICE&market=EU', 4)).toEqual(sorted('OLDEST', (number) => number % 3 === 0));
    expect(await walk('sort=PRICE&market=nowhere', 4)).toEqual([]);
  });

  it('says the same in GraphQL, with the total of the whole', async () => {
    const { data } = await t.graphql(
      `query ($b: ID!, $filter: ProductFilter) { products(businessId: $b, first: 3, sort: PRICE_DESC, filter: $filter) { totalCount nodes { id } } }`,
      {
        b: store.businessId,
        filter: { market: 'US', minPrice: 300, attributes: ['colour:red'], status: 'ACTIVE' },
      },
      { as: guest },
    );
    const expected = sorted('PRICE_DESC', (number) => number % 7 >= 3 && number % 3 === 0);
    const page = (data as unknown as { products: { totalCount: number; nodes: { id: string }[] } }).products;
    expect([page.totalCount, numbersOf(page.nodes)]).toEqual([expected.length, expected.slice(0, 3)]);
  });
});

describe('what lists are not to do', () => {
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
  ])('%s is a 422', async (query, field, error) => {
    const answer = await list(query, guest, store);
    expect([answer.status, answer.body]).toMatchObject([422, { details: [{ field, error }] }]);
  });

  it('takes a cursor for nothing but the filter and order it was made for', async () => {
    const { body } = await list('limit=2&sort=NAME&inStock=true', guest, store);
    const asked = (query: string, at = store) => list(`${query}&cursor=${body.cursor}`, guest, at);
    expect((await asked('limit=5&sort=NAME&inStock=true')).status).toBe(200);
    for (const query of ['sort=NAME', 'sort=NAME_DESC&inStock=true', 'sort=NAME&inStock=false', ''])
      expect((await asked(query)).status, query).toBe(422);
    expect((await asked('sort=NAME&inStock=true', shop)).status).toBe(422);
  });

  it('shows drafts to staff of the shop only', async () => {
    const drafts = made.map((_one, number) => number).filter((number) => number % 10 === 9);
    const seen = async (as: typeof guest) =>
      (await walk('sort=NAME&status=DRAFT', 50, as)).sort((a, b) => a - b);
    expect(await seen(store.admin)).toEqual(drafts);
    expect(await seen(shop.admin)).toEqual([]);
    expect(await seen(guest)).toEqual([]);
    expect(await walk('sort=STOCK', 100, store.admin)).toHaveLength(count);
  });

  it('follows every change of price, attribute, name and stock, and forgets what is deleted', async () => {
    const one = await create({ ...thing(1), name: 'Passing' }, store);
    const find = async (query: string) =>
      (await list(`${query}&market=US&limit=100`, guest, store)).body.items.some(({ id }) => id === one.id);
    expect(await find('maxPrice=100&inStock=true')).toBe(true);
    const kept = one.variants.map(({ id }) => ({ id, name: 'Same' }));
    await t.rest('POST', `${pathOf(store)}/${one.id}/stock`, {
      as: store.admin,
      body: { variantId: kept[0]?.id, change: -1 },
    });
    expect(await find('inStock=true')).toBe(false);
    await t.rest('PUT', `${pathOf(store)}/${one.id}`, {
      as: store.admin,
      body: {
        variants: [
          {
            ...kept[0],
            attributes: [{ name: 'colour', value: 'mauve' }],
            pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 9000 }] },
            inventory: { tracked: true, quantity: 3 },
          },
        ],
      },
    });
    expect(await find('minPrice=9000&attributes=colour:mauve&inStock=true')).toBe(true);
    expect(await find('attributes=colour:green')).toBe(false);
    await t.rest('DELETE', `${pathOf(store)}/${one.id}`, { as: store.admin });
    expect(await find('minPrice=9000')).toBe(false);
    const left = await t.db.sql(
      `select product_id from product_listings where product_id = $1 union all select product_id from product_prices where product_id = $1
       union all select product_id from product_attributes where product_id = $1 union all select product_id from product_stock where product_id = $1`,
      [one.id],
    );
    expect(left).toEqual([]);
  });

  it.each(['sort=NAME', 'sort=PRICE&market=US&inStock=true', 'sort=STOCK&attributes=colour:red'])(
    'costs one statement for %s when the products are at hand',
    async (query) => {
      await list(`limit=20&${query}`, guest, store);
      t.statements.length = 0;
      await list(`limit=20&${query}`, guest, store);
      expect(t.statements).toHaveLength(1);
    },
  );
});
