/** Shared setup of the live tests: an app with two selling shops, and streams that are closed after each test. */
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';
import { openSocketSubscription } from '../support/socket-subscription.ts';
import { distinctValues, type EventStream, openSubscription } from '../support/sse-client.ts';

export let t: TestApp;
export let shop: SellingShop;
export let other: SellingShop;
export let customer: Person;
export let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' }, { ...defaultLiveOptions, paceMs: 20, recheckMs: 400 });
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  customer = await t.person({ name: 'Ada', email: 'ada@people.example' });
  // Staff may set a user as customer of an order only after a previous order.
  await createEmptyOrder(t, shop, customer);
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, low: 990, name: 'Pot' });
});

const streams: EventStream[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
  await expect.poll(() => t.app.services.live.state.watching).toBe(0);
});

const closedAfterTest = async (opening: Promise<EventStream>) => {
  const stream = await opening;
  streams.push(stream);
  return stream;
};
export const open = (...args: Parameters<typeof openSubscription>) =>
  closedAfterTest(openSubscription(...args));

export type OpenStream = (
  query: string,
  variables: Record<string, unknown>,
  as: Person | undefined,
) => Promise<EventStream>;

const openEventStream: OpenStream = (query, variables, as) => open(t, query, variables, { as });

/** `portOf` is called in tests, after the server listens. */
export const openSocketOn =
  (portOf: () => number): OpenStream =>
  (query, variables, as) =>
    closedAfterTest(openSocketSubscription(t, portOf(), { query, variables }, { as }));

export const within = { interval: 10 };
export const orderDocument = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { id status version } }`;
const stockDocument = `subscription ($b: ID!, $id: ID) { stockChanged(businessId: $b, productId: $id) {
  productId variantId sku inventory { tracked quantity lowStockThreshold isLow } } }`;

/** Subscriptions by one transport. */
export const watchersOver = (openStream: OpenStream) => ({
  watchOrder: (id: string | null, as: Person | undefined, b = shop.businessId) =>
    openStream(orderDocument, { b, id }, as),
  watchStock: (id: string | null, as: Person | undefined, b = shop.businessId) =>
    openStream(stockDocument, { b, id }, as),
});
export const overEventStreams = watchersOver(openEventStream);
export const { watchOrder, watchStock } = overEventStreams;

export const setStatus = async (id: string, status: string, at: SellingShop = shop) => {
  const answer = await t.rest('PUT', `${at.orders}/${id}/status`, { as: at.admin, body: { status } });
  expect(answer.status).toBe(200);
};

export const setStock = async (
  { productId, variantId }: SoldProduct,
  quantity: number,
  at: SellingShop = shop,
  inventory: Record<string, unknown> = { lowStockThreshold: 990 },
) => {
  const answer = await t.rest('PUT', `/v1/businesses/${at.businessId}/products/${productId}`, {
    as: at.admin,
    body: {
      variants: [
        {
          id: variantId,
          name: 'Small',
          pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 1000 }] },
          inventory: { tracked: true, quantity, ...inventory },
        },
      ],
    },
  });
  expect(answer.status).toBe(200);
};

export const checkOut = (lines: { productId: string; variantId: string; quantity: number }[], as: Person) =>
  t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard', items: lines },
  });

export const statusesOf = (stream: EventStream) =>
  distinctValues(stream, ({ orderChanged }: { orderChanged?: { status: string } }) => orderChanged?.status);
export const quantitiesOf = ({ received }: EventStream) =>
  received.map(
    ({ data }) => (data?.stockChanged as { inventory: { quantity: number } } | undefined)?.inventory.quantity,
  );
