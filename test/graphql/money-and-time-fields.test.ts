/** Typed counterparts of bare integers: `…Money` of amounts, `…DateTime` of times. */
import { isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema/schema.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let guest: Person;
let lamp: SoldProduct;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  guest = await t.guest();
  lamp = await addProduct(t, shop, { price: 500, stock: 9 });
});

/** Amounts without a currency in their record. */
const withoutCurrency = ['Price', 'ShippingPrice'];

it('every amount and time has its counterpart and is deprecated', () => {
  const bare = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!(isObjectType(type) || isInterfaceType(type)) || withoutCurrency.includes(type.name)) return [];
    const fields = type.getFields();
    return Object.values(fields).flatMap(({ name, type: fieldType, deprecationReason }) => {
      const suffix = { Money: 'Money', Timestamp: 'DateTime' }[String(fieldType).replace('!', '')];
      const sibling = fields[`${name.replace(/Date$/, '')}${suffix}`];
      const isTyped = /^(?:Price|DateTime)!?$/.test(String(sibling?.type)) && deprecationReason;
      return suffix && !isTyped ? [`${type.name}.${name}`] : [];
    });
  });
  expect(bare).toEqual([]);
});

const run = async (query: string, variables: object, as: Person) => {
  const { data, errors } = await t.graphql(query, variables as Record<string, unknown>, { as });
  expect(errors).toEqual([]);
  return data as Record<string, never>;
};

it('a quote has amounts of its currency, also in lines and their steps', async () => {
  const money = '{ decimal amount currency formatted(locale: "de-DE") }';
  const query = `query ($input: QuoteInput!) { quote(input: $input) {
    expiresAt expiresAtDateTime totalMoney ${money} lines { unitPriceMoney ${money} applied { afterMoney { currency } } } } }`;
  const input = { businessId: shop.businessId, market: 'US', lines: [{ ...lamp, quantity: 1 }] };
  // Four runs, because the document is compiled at the third.
  for (let times = 0; times < 4; times += 1) {
    const { quote } = await run(query, { input }, guest);
    const { expiresAt, expiresAtDateTime, ...amounts } = quote as unknown as Record<string, number>;
    expect(expiresAtDateTime).toBe(new Date((expiresAt ?? 0) * 1000).toISOString());
    expect(amounts).toMatchObject({
      totalMoney: { decimal: '5.41', amount: 541, currency: 'USD', formatted: '5,41\u00a0$' },
      lines: [
        { unitPriceMoney: { decimal: '5.00', amount: 500, currency: 'USD', formatted: '5,00\u00a0$' } },
      ],
    });
  }
});

it('price facets have amounts of the currency of their market', async () => {
  const query = `query ($b: ID!) { products(businessId: $b) { facets { prices {
    currency minMoney { decimal currency } maxMoney { formatted(locale: "en-US") } ranges { maxMoney { decimal currency } } } } } }`;
  expect(await run(query, { b: shop.businessId }, guest)).toEqual({
    products: {
      facets: {
        prices: [
          {
            currency: 'USD',
            minMoney: { decimal: '5.00', currency: 'USD' },
            maxMoney: { formatted: '$5.00' },
            ranges: [{ maxMoney: { decimal: '5.00', currency: 'USD' } }],
          },
        ],
      },
    },
  });
});

it('prices of a product are rendered from cached JSON as they are executed', async () => {
  const query = `query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { createdAtDateTime
    variants { pricing { markets { priceMoney { decimal currency } compareAtPriceMoney { decimal } } } } } }`;
  const variables = { b: shop.businessId, id: lamp.productId };
  const first = await run(query, variables, guest);
  expect(first).toMatchObject({
    product: {
      createdAtDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      variants: [
        {
          pricing: {
            markets: [{ priceMoney: { decimal: '5.00', currency: 'USD' }, compareAtPriceMoney: null }],
          },
        },
      ],
    },
  });
  for (let times = 0; times < 4; times += 1) expect(await run(query, variables, guest)).toEqual(first);
});

it('amounts of a cart are loaded with its currency', async () => {
  const cart = `{ cart { totalMoney { decimal currency } lines { unitPriceMoney { decimal } addedPriceMoney { currency } } } }`;
  const open = `mutation ($b: ID!) { openCart(businessId: $b, input: { market: "US" }) ${cart} }`;
  expect(await run(open, { b: shop.businessId }, guest)).toMatchObject({
    openCart: { cart: { totalMoney: { decimal: '0.00', currency: 'USD' }, lines: [] } },
  });
  const add = `mutation ($b: ID!, $input: AddCartLineInput!) { addCartLine(businessId: $b, input: $input) ${cart} }`;
  expect(await run(add, { b: shop.businessId, input: { ...lamp, quantity: 2 } }, guest)).toMatchObject({
    addCartLine: {
      cart: { lines: [{ unitPriceMoney: { decimal: '5.00' }, addedPriceMoney: { currency: 'USD' } }] },
    },
  });
});
