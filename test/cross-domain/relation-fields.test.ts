/** Relation fields between types: visibility, and a constant number of SQL statements for any list length. */
import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema/schema.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shops: SellingShop[];
let first: SellingShop;
let customer: Person;
/** ADMIN of every shop except the last. */
let chief: Person;

const post = async (path: string, as: Person, body: object) => {
  const answer = await t.rest<{ id: string }>('POST', path, { as, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.id;
};

beforeAll(async () => {
  t = await testApp();
  customer = await t.person({ email: 'Grace@people.example' });
  chief = await t.person();
  shops = [];
  for (let n = 0; n < 4; n += 1) {
    const shop = await createSellingShop(t);
    shops.push(shop);
    if (n < 3) await t.addMember(shop, chief, 'ADMIN');
    const base = `/v1/businesses/${shop.businessId}`;
    for (let m = 0; m < 3; m += 1) await addProduct(t, shop, { name: `P${n}${m}`, price: 123_456 });
    await post(`${base}/products`, shop.admin, { name: `Draft ${n}`, status: 'DRAFT' });
    for (const [name, status] of [
      ['Open', 'PUBLISHED'],
      ['Shut', 'DRAFT'],
    ]) {
      const collectionId = await post(`${base}/collections`, shop.admin, { name: `${name} ${n}`, status });
      for (const state of ['PUBLISHED', 'DRAFT', 'PUBLISHED'])
        await post(`${base}/entries`, shop.admin, { collectionId, status: state, locale: 'en', blocks: [] });
    }
    await createEmptyOrder(t, shop, customer);
    await createEmptyOrder(t, shop, await t.guest());
  }
  [first] = shops as [SellingShop];
});

/** Runs the query five times: it is interpreted at first and compiled from the third run on, and every run must return the same response. */
async function runRepeatedly<Data>(query: string, variables: object, as: Person) {
  const answers: unknown[] = [];
  const costs: number[] = [];
  let data: Data | undefined;
  for (let run = 0; run < 5; run += 1) {
    t.statements.length = 0;
    const answer = await t.graphql(query, { ...variables }, { as });
    data = answer.data as Data;
    costs.push(t.statements.length);
    answers.push({ data, errors: answer.errors.map(({ message, path }) => ({ message, path })) });
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  // The maximum, because cached records may save a statement.
  return {
    data: data as Data,
    answer: answers[0] as { errors: { message: string }[] },
    cost: Math.max(...costs),
  };
}

interface Businesses {
  businesses: { nodes: Record<string, { totalCount: number; nodes: { name?: string; id: string }[] }>[] };
}

describe('a business', () => {
  it('loads its lists with a constant number of SQL statements for any number of businesses', async () => {
    const query = `query ($n: Int) { businesses(first: $n) { nodes {
      products(first: 2) { totalCount nodes { id name } pageInfo { hasNextPage endCursor } }
      collections { totalCount nodes { id name } } orders { totalCount nodes { id } } } } }`;
    const one = await runRepeatedly<Businesses>(query, { n: 1 }, chief);
    const three = await runRepeatedly<Businesses>(query, { n: 3 }, chief);
    expect(three.data.businesses.nodes).toHaveLength(3);
    // Businesses, permissions, and for each list its page, its total and, until they are cached, its records.
    expect([one.cost, three.cost]).toEqual([10, 10]);
    const [newest] = three.data.businesses.nodes;
    expect(one.data.businesses.nodes[0]).toEqual(newest);
    expect(newest).toMatchObject({
      products: {
        totalCount: 4,
        nodes: [{ name: 'Draft 2' }, { name: 'P22' }],
        pageInfo: { hasNextPage: true },
      },
      collections: { totalCount: 2, nodes: [{ name: 'Shut 2' }, { name: 'Open 2' }] },
      orders: { totalCount: 2, nodes: { length: 2 } },
    });
  });

  it('hides drafts from visitors, and orders from non-staff', async () => {
    const query = `query ($b: ID!) { business(id: $b) { orders { totalCount }
      products { totalCount nodes { name } } collections { nodes { name entries { totalCount nodes { status } } } } } }`;
    const outsider = shops[3]?.admin as Person;
    for (const as of [await t.guest(), customer, outsider]) {
      const { data, answer } = await runRepeatedly<{ business: object }>(query, { b: first.businessId }, as);
      expect(answer.errors).toEqual([
        { message: 'You do not have the required permission: ORDERS_READ.', path: ['business', 'orders'] },
      ]);
      expect(data.business).toEqual({
        orders: null,
        products: { totalCount: 3, nodes: [{ name: 'P02' }, { name: 'P01' }, { name: 'P00' }] },
        collections: {
          nodes: [
            {
              name: 'Open 0',
              entries: { totalCount: 2, nodes: [{ status: 'PUBLISHED' }, { status: 'PUBLISHED' }] },
            },
          ],
        },
      });
    }
  });

  it('continues after a cursor, and rejects the cursor of another business', async () => {
    const query = `query ($n: Int!, $after: String) { businesses(first: $n) { nodes { id
      products(first: 3, after: $after) { nodes { name } pageInfo { endCursor } } } } }`;
    const page = await t.graphql(query, { n: 1 }, { as: chief });
    const { businesses } = page.data as never as {
      businesses: { nodes: [{ products: { pageInfo: { endCursor: string } } }] };
    };
    const after = businesses.nodes[0].products.pageInfo.endCursor;
    const next = await t.graphql(query, { n: 1, after }, { as: chief });
    expect(next.data).toMatchObject({ businesses: { nodes: [{ products: { nodes: [{ name: 'P20' }] } }] } });
    const wrong = await t.graphql(query, { n: 2, after }, { as: chief });
    expect(wrong.errors[0]?.extensions.details[0]).toMatchObject({ field: 'after', error: 'INVALID_CURSOR' });
  });
});

describe('a collection', () => {
  it('loads its entries with a constant number of SQL statements', async () => {
    const query = `query ($b: ID!, $n: Int) { collections(businessId: $b, first: $n) { nodes { name
      entries(first: 2) { totalCount nodes { status collection { name } } } } } }`;
    const one = await runRepeatedly(query, { b: first.businessId, n: 1 }, first.admin);
    const two = await runRepeatedly<{ collections: object }>(
      query,
      { b: first.businessId, n: 2 },
      first.admin,
    );
    // Collections, entries and their records, totals, the collections of the entries.
    expect(one.cost).toBeLessThanOrEqual(6);
    expect(two.cost).toBeLessThanOrEqual(6);
    const entries = { totalCount: 3, nodes: [{ status: 'PUBLISHED' }, { status: 'DRAFT' }] };
    expect(two.data.collections).toMatchObject({
      nodes: [
        { name: 'Shut 0', entries },
        { name: 'Open 0', entries },
      ],
    });
  });
});

describe('a product', () => {
  it('loads its business with one SQL statement', async () => {
    const query = `query ($b: ID!, $n: Int) { products(businessId: $b, first: $n) { nodes { business { id name markets { code } } } } }`;
    const one = await runRepeatedly(query, { b: first.businessId, n: 1 }, customer);
    const all = await runRepeatedly<{ products: { nodes: object[] } }>(
      query,
      { b: first.businessId, n: 3 },
      customer,
    );
    // Products and their records, businesses, markets.
    expect(one.cost).toBeLessThanOrEqual(4);
    expect(all.cost).toBeLessThanOrEqual(4);
    expect(all.data.products.nodes).toHaveLength(3);
    expect(all.data.products.nodes[2]).toEqual({
      business: { id: first.businessId, name: 'Shop', markets: [{ code: 'EU' }, { code: 'US' }] },
    });
  });

  it('returns the price of a variant in a market, formatted for a locale', async () => {
    const query = `query ($b: ID!, $locale: String) { products(businessId: $b, first: 1) { nodes { variants {
      us: price(market: "us") { amount currency formatted de: formatted(locale: $locale) } none: price(market: "XX") { amount } } } } }`;
    const { data } = await runRepeatedly(query, { b: first.businessId, locale: 'de-DE' }, customer);
    expect(data).toEqual({
      products: {
        nodes: [
          {
            variants: [
              {
                us: { amount: 123_456, currency: 'USD', formatted: '$1,234.56', de: '1.234,56\u00a0$' },
                none: null,
              },
            ],
          },
        ],
      },
    });
    for (const locale of ['no such', '', 'x'.repeat(5000), '__proto__']) {
      const wrong = await t.graphql(query, { b: first.businessId, locale }, { as: customer });
      expect(wrong.errors[0]?.extensions.details).toEqual([
        { field: 'locale', error: 'INVALID_LOCALE', message: 'Must be a locale such as en or de-AT.' },
      ]);
    }
  });

  it('returns a block by id, as does every type with blocks', async () => {
    const base = `/v1/businesses/${first.businessId}`;
    const id = await post(`${base}/products`, first.admin, {
      name: 'Cup',
      blocks: [{ id: 'care', type: 'TEXT', value: { en: 'By hand', de: 'Von Hand' } }],
    });
    const { data } = await runRepeatedly(
      `query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { block(id: "care") { type text(locale: "de") }
        none: block(id: "toString") { id: key } } }`,
      { b: first.businessId, id },
      customer,
    );
    expect(data).toEqual({ product: { block: { type: 'TEXT', text: 'Von Hand' }, none: null } });
    const without = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && 'blocks' in type.getFields() && !('block' in type.getFields()))
      .map(({ name }) => name);
    expect(without).toEqual(['GenerateBlocksPayload']);
    await t.rest('DELETE', `${base}/products/${id}`, { as: first.admin });
  });
});

describe('an order', () => {
  it('loads shipping methods with one SQL statement', async () => {
    const shop = await createSellingShop(t);
    const buyer = await t.guest();
    const createOrder = async (shippingMethodId: string | null) => {
      const id = await createEmptyOrder(t, shop, buyer);
      await t.db.prisma.order.update({ where: { id }, data: { shippingMethodId } });
    };
    const query = `query ($b: ID!) { orders(businessId: $b) { nodes { shippingMethod { name } customer { name } refunds { id } } } }`;
    await createOrder('standard');
    const one = await runRepeatedly(query, { b: shop.businessId }, shop.admin);
    for (const method of ['standard', 'gone', null, 'a/b', 'standard']) await createOrder(method);
    const all = await runRepeatedly<{ orders: { nodes: { shippingMethod: object | null }[] } }>(
      query,
      { b: shop.businessId },
      shop.admin,
    );
    // Permissions, orders, shipping methods, customers, refunds.
    expect([one.cost, all.cost]).toEqual([5, 5]);
    expect(all.data.orders.nodes.map(({ shippingMethod }) => shippingMethod)).toEqual([
      { name: 'Standard' },
      null,
      null,
      null,
      { name: 'Standard' },
      { name: 'Standard' },
    ]);
    // A shipping method of another business with the same id is not returned.
    await t.db.prisma.shippingMethod.deleteMany({ where: { businessId: shop.businessId } });
    const after = await runRepeatedly<{ orders: { nodes: { shippingMethod: object | null }[] } }>(
      query,
      { b: shop.businessId },
      shop.admin,
    );
    expect(after.data.orders.nodes.every(({ shippingMethod }) => shippingMethod === null)).toBe(true);
  });
});

it('offers the consistent field names alongside the original ones', async () => {
  const { data, answer } = await runRepeatedly(
    `query ($b: ID!) { shippingMethods(businessId: $b) { nodes { prices { market marketId } } }
      products(businessId: $b, filter: { status: ACTIVE }, first: 1) { nodes { variants { pricing { markets { market marketId } } } } }
      orders(businessId: $b, first: 1) { nodes { paymentStatus { status } paymentStatuses { status } } } }`,
    { b: first.businessId },
    first.admin,
  );
  expect(answer.errors).toEqual([]);
  const named = (code: string) => ({ market: code, marketId: code });
  expect(data).toEqual({
    shippingMethods: { nodes: [{ prices: [named('US')] }] },
    products: { nodes: [{ variants: [{ pricing: { markets: [named('us')] } }] }] },
    orders: { nodes: [{ paymentStatus: [{ status: 'PENDING' }], paymentStatuses: [{ status: 'PENDING' }] }] },
  });
});

describe('a user', () => {
  const query = `{ me { orders { totalCount nodes { businessId } } subscriptions { totalCount nodes { email entity } }
    businesses { totalCount nodes { id } } } }`;

  it('reads their own orders, subscriptions and businesses across all businesses', async () => {
    const { businessId, admin } = first;
    const newsletter = await post(`/v1/businesses/${businessId}/collections`, admin, {
      name: 'News',
      type: 'NEWSLETTER',
    });
    await post(`/v1/businesses/${businessId}/collections/${newsletter}/subscribe`, customer, {
      email: 'gRace@people.example',
    });
    const { data, cost } = await runRepeatedly<{ me: Record<string, { nodes: { businessId: string }[] }> }>(
      query,
      {},
      customer,
    );
    expect(data.me).toMatchObject({
      orders: { totalCount: 4 },
      subscriptions: { totalCount: 1, nodes: [{ entity: `collection:${newsletter}` }] },
      businesses: { totalCount: 0, nodes: [] },
    });
    expect(data.me.orders?.nodes.map((order) => order.businessId)).toEqual(
      shops.map((shop) => shop.businessId).reverse(),
    );
    // Three lists, each with its total.
    const minimal = await runRepeatedly('{ me { id } }', {}, customer);
    expect(cost).toBe(minimal.cost + 6);
    expect((await runRepeatedly<{ me: object }>(query, {}, chief)).data.me).toMatchObject({
      orders: { totalCount: 0 },
      subscriptions: { totalCount: 0 },
      businesses: { totalCount: 3 },
    });
  });

  it('does not see subscriptions of an unconfirmed email address', async () => {
    const unconfirmed = await t.person({ email: 'victim@people.example' });
    await t.db.prisma.user.update({ where: { id: unconfirmed.userId }, data: { isConfirmed: false } });
    await t.db.prisma.subscription.create({
      data: {
        id: newId(),
        businessId: first.businessId,
        collectionId: (await t.db.prisma.subscription.findFirstOrThrow()).collectionId,
        email: 'victim@people.example',
        key: 'victim@people.example',
        name: '',
        status: 'ACTIVE',
        createdAt: now(),
        updatedAt: now(),
      },
    });
    const { data } = await runRepeatedly<{ me: object }>(query, {}, unconfirmed);
    expect(data.me).toMatchObject({ subscriptions: { totalCount: 0, nodes: [] } });
  });

  it('hides orders, subscriptions and businesses from an ADMIN of a business', async () => {
    const others = `query ($b: ID!) { users(businessId: $b, query: "grace") { nodes { name
      orders { totalCount } subscriptions { totalCount } businesses { totalCount } } } }`;
    const { data, answer } = await runRepeatedly<{ users: object }>(
      others,
      { b: first.businessId },
      first.admin,
    );
    expect(data.users).toEqual({
      nodes: [{ name: 'Somebody', orders: null, subscriptions: null, businesses: null }],
    });
    expect(answer.errors).toHaveLength(3);
  });
});
