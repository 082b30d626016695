/** A storefront can sell every product of the demo shop in each of its markets. */
import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';

const { businessId } = demoShopIdsAndLogins;
let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await seedDemo(t.db);
});

interface Priced {
  id: string;
  availableForSale: boolean;
  variants: { id: string; price: { currency: string } | null }[];
}

it.each([
  ['US', 'USD'],
  ['EU', 'EUR'],
  ['CH', 'CHF'],
])('market %s has prices in %s, shipping and a checkout', async (market, currency) => {
  const as = await t.guest();
  const query = `query ($b: ID!, $market: ID!) { products(businessId: $b, first: 100) {
    nodes { id availableForSale(market: $market) variants { id price(market: $market) { currency } } } } }`;
  const { data } = await t.graphql(query, { b: businessId, market }, { as });
  const { nodes } = (data as unknown as { products: { nodes: Priced[] } }).products;
  expect(nodes.length).toBeGreaterThan(10);
  for (const { availableForSale, variants } of nodes) {
    expect(availableForSale).toBe(true);
    expect(variants.map(({ price }) => price?.currency)).toEqual(variants.map(() => currency));
  }
  const [product] = nodes;
  const { body, status } = await t.rest('POST', `/v1/businesses/${businessId}/orders/checkout`, {
    as,
    body: {
      market,
      shippingMethodId: 'standard',
      returnUrl: 'http://shop.test/thanks',
      items: [{ productId: product?.id, variantId: product?.variants[0]?.id, quantity: 1 }],
    },
  });
  expect([status, body]).toMatchObject([200, { orderId: expect.any(String) }]);
});
