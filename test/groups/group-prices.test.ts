/** Prices of customer groups: they apply to members everywhere, and are hidden from everyone else. */
import { beforeEach, describe, expect, it } from 'vitest';
import { call, cartOf, open, other, shop, t } from '../carts/setup.ts';
import type { Person } from '../support/app.ts';
import { addProduct, detailErrors, postQuote, type SoldProduct } from '../support/shop-fixtures.ts';
import {
  addMember,
  createCustomer,
  createGroup,
  createMember,
  productPath,
  requestGroups,
  setGroupPrices,
} from './setup.ts';

/** Amount that occurs nowhere else in a response. */
const amount = 777;
let cup: SoldProduct;
let groupId: string;
let insider: Person;
let outsider: Person;

beforeEach(async () => {
  cup = await addProduct(t, shop, { price: 1000, name: 'Cup' });
  groupId = await createGroup();
  [insider, outsider] = [await createMember(groupId), await createCustomer()];
});

const reprice = (groupPrices: object[], more: object = {}) => setGroupPrices(cup, groupPrices, more);

interface Priced {
  id: string;
  lines: { unitPrice: number; applied?: object[] }[];
}

const requestQuote = async (as: Person, quantity = 1) => {
  const terms = { businessId: shop.businessId, market: 'US', shippingMethodId: 'standard' };
  return (await postQuote<Priced>(t, as, { ...terms, lines: [{ ...cup, quantity }] })).body;
};

const unitPriceFor = async (as: Person, quantity?: number) =>
  (await requestQuote(as, quantity)).lines[0]?.unitPrice;

const checkoutPrices = async (as: Person, more: object = {}) => {
  const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...cup, quantity: 1 }], ...more };
  const answer = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, { as, body });
  if (answer.status !== 200) return detailErrors(answer.body);
  const order = await t.rest<Priced>('GET', `${shop.orders}/${answer.body.orderId}`, { as: shop.admin });
  return order.body.lines.map(({ unitPrice }) => unitPrice);
};

describe('a group price', () => {
  it('applies to members in quotes, carts, checkouts and manual orders, with a price explanation', async () => {
    await reprice([{ groupId, amount }]);
    const { name } = (await requestGroups<{ name: string }>(shop.admin, 'GET', `/${groupId}`)).body;
    const step = { kind: 'GROUP', before: 2000, after: 1554, why: `The price for ${name}.`, group: name };
    expect((await requestQuote(insider, 2)).lines[0]).toMatchObject({
      unitPrice: amount,
      applied: [step, { kind: 'TAX' }],
    });
    await open(insider);
    await call(insider, 'POST', '/me/lines', { ...cup, quantity: 2 });
    expect((await cartOf(insider)).lines[0]).toMatchObject({
      unitPrice: amount,
      changes: [],
      applied: [step, { kind: 'TAX' }],
    });
    expect(await checkoutPrices(insider)).toEqual([amount]);
    for (const person of [outsider, await t.guest()]) {
      expect(await unitPriceFor(person)).toBe(1000);
      expect(await checkoutPrices(person)).toEqual([1000]);
    }
    const manual = async (customerId: string, subtotal: number) => {
      const totals = { subtotal, tax: 0, shipping: 0, total: subtotal };
      const lines = [{ ...cup, quantity: 1 }];
      const body = { market: 'US', currency: 'USD', customerId, lines, ...totals };
      return (await t.rest<Priced>('POST', shop.orders, { as: shop.admin, body })).body.lines[0]?.unitPrice;
    };
    expect(await manual(insider.userId, amount)).toBe(amount);
    expect(await manual(outsider.userId, 1000)).toBe(1000);
  });

  it('applies only when it is the lowest applicable price', async () => {
    const lower = { sale: { amount: 900 }, tiers: [{ minQuantity: 10, amount: 700 }] };
    await reprice([{ groupId, amount }], lower);
    expect([await unitPriceFor(insider), await unitPriceFor(insider, 10)]).toEqual([amount, 700]);
    expect([await unitPriceFor(outsider), await unitPriceFor(outsider, 10)]).toEqual([900, 700]);
    const better = await createGroup();
    await reprice([
      { groupId, amount },
      { groupId: better, amount: 600 },
    ]);
    expect(await unitPriceFor(insider)).toBe(amount);
    await addMember(better, insider);
    expect(await unitPriceFor(insider)).toBe(600);
    await requestGroups(shop.admin, 'DELETE', `/${better}/members/${insider.userId}`);
    expect(await unitPriceFor(insider)).toBe(amount);
  });

  it('loads memberships in one query, and only for products with group prices', async () => {
    const countGroupQueries = async (work: () => Promise<unknown>) => {
      t.statements.length = 0;
      await work();
      return t.statements.filter((text) => text.includes('customer_group')).length;
    };
    expect(await countGroupQueries(() => checkoutPrices(insider))).toBe(0);
    await reprice([{ groupId, amount }]);
    expect(await countGroupQueries(() => requestQuote(insider))).toBe(1);
    expect(await countGroupQueries(() => t.rest('GET', productPath(cup), { as: insider }))).toBe(0);
    const { id } = await requestQuote(insider);
    expect(await countGroupQueries(() => checkoutPrices(insider, { quote: id }))).toBe(0);
  });
});

describe('ProductVariant.price(market)', () => {
  const query = `query ($b: ID!, $n: Int) {
    products(businessId: $b, first: $n) { nodes { variants { price(market: "us") { amount } } } } }`;
  interface Listed {
    products: { nodes: { variants: { price: { amount: number } | null }[] }[] };
  }
  const listPrices = async (as: Person | undefined, n = 1) => {
    t.statements.length = 0;
    const { data, errors } = await t.graphql(query, { b: shop.businessId, n }, { as });
    expect(errors).toEqual([]);
    const { products } = data as unknown as Listed;
    return {
      amounts: products.nodes.flatMap(({ variants }) => variants[0]?.price?.amount ?? null),
      groupQueries: t.statements.filter((text) => text.includes('customer_group')).length,
      markets: t.statements.filter((text) => text.includes('"markets"')).length,
    };
  };

  it('equals the unit price of a quote for the viewer, regardless of cached products', async () => {
    await reprice([{ groupId, amount }], { tiers: [{ minQuantity: 2, amount: 500 }] });
    const limited = await t.withApiKey(insider, ['ORDERS_READ']);
    const whole = await t.withApiKey(insider);
    await addMember(groupId, shop.admin);
    for (const as of [insider, outsider, await t.guest(), other.admin, whole, shop.admin, insider, outsider])
      expect((await listPrices(as)).amounts).toEqual([await unitPriceFor(as)]);
    expect((await listPrices(limited)).amounts).toEqual([1000]);
    expect([(await listPrices(insider)).amounts[0], (await listPrices(shop.admin)).amounts[0]]).toEqual([
      777, 777,
    ]);
    await requestGroups(shop.admin, 'DELETE', `/${groupId}/members/${shop.admin.userId}`);
    await requestGroups(shop.admin, 'DELETE', `/${groupId}`);
    expect((await listPrices(insider)).amounts).toEqual([1000]);
  });

  it('ignores groups with the same id in other businesses', async () => {
    await reprice([{ groupId, amount }]);
    const named = { id: groupId, name: 'Theirs' };
    expect((await requestGroups(other.admin, 'POST', '', named, other)).status).toBe(200);
    const theirs = { userId: other.admin.userId };
    expect((await requestGroups(other.admin, 'POST', `/${groupId}/members`, theirs, other)).status).toBe(200);
    expect((await listPrices(other.admin)).amounts).toEqual([1000]);
  });

  it('uses one query for all products, and none without group prices', async () => {
    expect((await listPrices(insider)).groupQueries).toBe(0);
    await reprice([{ groupId, amount }]);
    const next = await addProduct(t, shop, { price: 1000, name: 'Next' });
    const first = cup;
    cup = next;
    await reprice([{ groupId, amount: 900 }]);
    cup = first;
    const [one, two] = [await listPrices(insider, 1), await listPrices(insider, 2)];
    expect([one.amounts, two.amounts]).toEqual([[900], [900, amount]]);
    expect([one.groupQueries, two.groupQueries, one.markets, two.markets]).toEqual([1, 1, 1, 1]);
    t.statements.length = 0;
    await t.rest('GET', productPath(cup), { as: insider });
    expect(t.statements.filter((text) => text.includes('markets'))).toEqual([]);
  });

  it('is null when the market was deleted or has another currency', async () => {
    const markets = `/v1/businesses/${shop.businessId}/markets`;
    const change = (method: string, path: string, body?: object) =>
      t.rest(method, `${markets}${path}`, { as: shop.admin, body });
    const body = { businessId: shop.businessId, market: 'US', lines: [{ ...cup, quantity: 1 }] };
    const both = async () => [
      (await listPrices(outsider)).amounts,
      detailErrors((await postQuote(t, outsider, body)).body),
    ];
    expect((await listPrices(outsider)).amounts).toEqual([1000]);
    // A minimum subtotal would prevent the change of the currency.
    await t.db.write('update promo_codes set min_subtotal = null where business_id = $1', [shop.businessId]);
    const shippingPrices = [{ shippingMethodId: 'standard', price: 500 }];
    await change('PUT', '/us', { currency: 'EUR', shippingPrices });
    expect(await both()).toEqual([[null], ['lines.0 PRICE_NOT_AVAILABLE']]);
    await change('DELETE', '/us');
    expect(await both()).toEqual([[null], ['market MARKET_NOT_FOUND']]);
    await change('POST', '', { code: 'US', currency: 'USD', taxBps: 825 });
    expect((await listPrices(outsider)).amounts).toEqual([1000]);
  });
});

describe('a quote with a group price', () => {
  it('is honoured only for the member who requested it, even after they left the group', async () => {
    await reprice([{ groupId, amount }]);
    const { id } = await requestQuote(insider);
    const second = await createMember(groupId);
    for (const otherCustomer of [outsider, second, await t.guest(), shop.admin])
      expect(await checkoutPrices(otherCustomer, { quote: id })).toEqual(['quote QUOTE_MISMATCH']);
    await open(outsider);
    await call(outsider, 'POST', '/me/lines', { ...cup, quantity: 1 });
    const stolen = await call(outsider, 'POST', '/me/checkout', { quote: id });
    expect(detailErrors(stolen.body)).toEqual(['quote QUOTE_MISMATCH']);
    await requestGroups(shop.admin, 'DELETE', `/${groupId}/members/${insider.userId}`);
    expect(await checkoutPrices(insider, { quote: id })).toEqual([amount]);
    expect(await checkoutPrices(insider)).toEqual([1000]);
  });

  it('can be used by other customers when it contains no group price', async () => {
    await reprice([{ groupId, amount }], { sale: { amount: 500 } });
    const { id } = await requestQuote(insider);
    expect(await checkoutPrices(outsider, { quote: id })).toEqual([500]);
  });
});

describe('visibility of group prices', () => {
  const query = `query ($b: ID!, $id: ID!, $i: ID!) {
    product(businessId: $b, id: $i) { variants { pricing { markets { groupPrices { amount } } } } }
    node(id: $id) { ... on Product { variants { pricing { markets { groupPrices { amount } } } } } }
    business(id: $b) { products { nodes { variants { pricing { markets { groupPrices { amount } } } } } } }
    products(businessId: $b, search: "cup") { nodes { variants { pricing { markets { groupPrices { amount } } } } } }
  }`;
  const visibleAmounts = async (as: Person | undefined) => {
    const base = `/v1/businesses/${shop.businessId}/products`;
    const texts = [];
    for (const path of [productPath(cup), base, `${base}?query=cup`, `${base}?market=US&sort=PRICE`]) {
      const { status, body } = await t.rest('GET', path, { as });
      expect(status).toBe(200);
      texts.push(JSON.stringify(body));
    }
    const variables = { b: shop.businessId, id: cup.productId, i: cup.productId };
    const { data, errors } = await t.graphql(query, variables, { as });
    expect(errors).toEqual([]);
    return [...texts, ...Object.values(data ?? {}).map((part) => JSON.stringify(part))].map((text) =>
      // Matches the field, because ids may contain the digits by chance.
      text.includes(`"amount":${amount}`),
    );
  };

  it('returns group prices only to staff, regardless of cached products', async () => {
    expect((await reprice([{ groupId, amount }])).status).toBe(200);
    const limited = await t.withApiKey(shop.admin, ['ORDERS_READ']);
    const people = [await t.guest(), outsider, insider, other.admin, limited];
    for (const as of [shop.admin, ...people, shop.admin])
      expect(await visibleAmounts(as)).toEqual(Array(8).fill(as === shop.admin));
  });
});

describe('validation of group prices', () => {
  const at = 'variants.0.pricing.markets.0.groupPrices';
  const errorCodes = async (prices: object[]) => {
    const { status, body } = await reprice(prices);
    return [status, ...detailErrors(body)];
  };

  it('rejects invalid group prices with all errors at once, without changing the product', async () => {
    expect(
      await errorCodes([
        { groupId, amount: 1001 },
        { groupId, amount: 1 },
        { groupId: '', amount: -1 },
      ]),
    ).toEqual([
      422,
      `${at}.2.groupId TOO_SHORT`,
      `${at}.2.amount TOO_SMALL`,
      `${at}.0.amount ABOVE_PRICE`,
      `${at}.1.groupId DUPLICATE_GROUP`,
    ]);
    const many = Array.from({ length: 21 }, (_, index) => ({ groupId: `g${index}`, amount: 1 }));
    expect(await errorCodes(many)).toEqual([422, `${at} TOO_LONG`]);
    const theirs = await createGroup(other);
    expect(
      await errorCodes([
        { groupId: theirs, amount: 1 },
        { groupId, amount },
        { groupId: 'nowhere', amount: 1 },
      ]),
    ).toEqual([422, `${at}.0.groupId CUSTOMER_GROUP_NOT_FOUND`, `${at}.2.groupId CUSTOMER_GROUP_NOT_FOUND`]);
    const body = {
      name: 'New',
      gallery: [{ mediaId: cup.productId }],
      variants: [
        {
          pricing: {
            markets: [
              { marketId: 'US', currency: 'USD', price: 2, groupPrices: [{ groupId: theirs, amount: 1 }] },
            ],
          },
        },
      ],
    };
    const created = await t.rest('POST', `/v1/businesses/${shop.businessId}/products`, {
      as: shop.admin,
      body,
    });
    expect([created.status, ...detailErrors(created.body)]).toEqual([
      422,
      'gallery.0.mediaId MEDIA_NOT_FOUND',
      `${at}.0.groupId CUSTOMER_GROUP_NOT_FOUND`,
    ]);
    expect(await unitPriceFor(insider)).toBe(1000);
  });

  it('accepts existing prices of a deleted group, which no longer apply', async () => {
    await reprice([{ groupId, amount }]);
    await requestGroups(shop.admin, 'DELETE', `/${groupId}`);
    expect(await unitPriceFor(insider)).toBe(1000);
    expect(await errorCodes([{ groupId, amount: 500 }])).toEqual([200]);
    expect(await unitPriceFor(insider)).toBe(1000);
    expect(await errorCodes([])).toEqual([200]);
    expect(await errorCodes([{ groupId, amount }])).toEqual([
      422,
      `${at}.0.groupId CUSTOMER_GROUP_NOT_FOUND`,
    ]);
  });
});

it('prices several carts with the number of SQL statements of one', async () => {
  await reprice([{ groupId, amount }]);
  const createCart = async (as: Person, body: object) => {
    await open(as, body);
    return (await call(as, 'POST', '/me/lines', { ...cup, quantity: 2 })).body.id;
  };
  const carts = [await createCart(insider, {}), await createCart(outsider, { promoCode: 'HALF' })];
  const empty = (await open(insider, {}, { shop: other })).body.id;
  const loadCarts = async (ids: string[], as: Person) => {
    t.statements.length = 0;
    const { data } = await t.graphql(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Cart { subtotal discount total lines { unitPrice } problems { error } } } }`,
      { ids },
      { as },
    );
    return { nodes: (data as never as { nodes: object[] }).nodes, statements: t.statements.length };
  };
  const both = await loadCarts(carts, shop.admin);
  expect(both.nodes[0]).toMatchObject({ subtotal: 2 * amount, discount: 0, problems: [] });
  expect(both.nodes[1]).toMatchObject({ subtotal: 2000, discount: 1000, problems: [] });
  const each = [await loadCarts(carts.slice(0, 1), shop.admin), await loadCarts(carts.slice(1), shop.admin)];
  expect(both.nodes).toEqual(each.flatMap(({ nodes }) => nodes));
  expect(both.statements).toBe(each[0]?.statements);
  const { nodes } = await loadCarts([empty, ...carts], insider);
  expect(nodes).toMatchObject([{ subtotal: 0 }, both.nodes[0] ?? {}, null]);
});
