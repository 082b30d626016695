/** One name for one thing: second names still work, and never contradict the first. */
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  for (const price of [300, 100, 200]) await addProduct(t, shop, { price, stock: 1 });
});

const run = async (query: string, variables: object = {}) => {
  const { data, errors } = await t.graphql(query, { b: shop.businessId, ...variables }, { as: shop.admin });
  return { data: data as Record<string, unknown>, codes: errors.map(({ extensions }) => extensions) };
};

describe('Business.products', () => {
  const page = 'nodes { id } pageInfo { hasNextPage endCursor } totalCount';
  it.each([
    ['without arguments', 'first: 2', ''],
    ['with a sort order and a filter', 'first: 2, sort: PRICE, filter: { market: "US", minPrice: 150 }', ''],
    ['with a search', 'search: "none of these"', ''],
  ])('returns the page of products %s', async (_name, args) => {
    const document = `query ($b: ID!) { products(businessId: $b, ${args}) { ${page} } business(id: $b) { products(${args}) { ${page} } } }`;
    for (let times = 0; times < 4; times += 1) {
      const { data, codes } = await run(document);
      expect(codes).toEqual([]);
      expect((data.business as { products: unknown }).products).toEqual(data.products);
    }
  });

  it('continues with the cursor, and validates its arguments', async () => {
    const list = (args: string) => `query ($b: ID!) { business(id: $b) { products(${args}) { ${page} } } }`;
    const sorted = 'first: 2, sort: PRICE, filter: { market: "US" }';
    const first = await run(list(sorted));
    const { products } = first.data.business as {
      products: { nodes: unknown[]; pageInfo: { endCursor: string } };
    };
    const next = await run(list(`${sorted}, after: "${products.pageInfo.endCursor}"`));
    expect((next.data.business as { products: { nodes: unknown[] } }).products.nodes).toHaveLength(1);
    expect((await run(list('sort: PRICE'))).codes).toMatchObject([
      { code: 'VALIDATION_FAILED', details: [{ field: 'market', error: 'REQUIRED' }] },
    ]);
  });
});

describe('two names of one field', () => {
  it.each([
    ['users', 'query ($b: ID!) { users(businessId: $b, ARGS) { nodes { id } } }'],
    ['products', 'query ($b: ID!) { products(businessId: $b, ARGS) { nodes { id } } }'],
  ])('%s: query and search return the same, and different values are an error', async (_name, document) => {
    const withArgs = (args: string) => run(document.replace('ARGS', args));
    const { data, codes } = await withArgs('search: "a"');
    expect(codes).toEqual([]);
    expect((await withArgs('query: "a"')).data).toEqual(data);
    expect((await withArgs('query: "a", search: "a"')).data).toEqual(data);
    expect((await withArgs('query: "a", search: "b"')).codes).toMatchObject([
      { code: 'VALIDATION_FAILED', details: [{ field: 'search', error: 'INVALID_VALUE' }] },
    ]);
  });
});

it('Subscription is the root type, and the record of a newsletter has its own name', () => {
  expect(schema.getSubscriptionType()?.name).toBe('Subscription');
  expect(String(schema.getType('SubscriptionPayload'))).toBe('SubscriptionPayload');
  expect(schema.getType('NewsletterSubscription')).toBeDefined();
});
