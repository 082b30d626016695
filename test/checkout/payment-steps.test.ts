/** Currencies in which not every minor unit can be paid, such as KWD: quote, order, charge and refund are the same payable amount. */
import Stripe from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addPromoCode,
  createSellingShop,
  detailErrors,
  postQuote,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';

const webhookSecret = 'whsec_test';
const stripe = new Stripe('sk_test_x');

let t: TestApp;
let server: StripeServer;
let shop: SellingShop;
let customer: Person;

beforeAll(async () => {
  server = await startStripeServer();
  t = await testApp({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: server.url,
    RATE_LIMIT: 'off',
  });
  shop = await createSellingShop(t);
  customer = await t.guest();
  await addPromoCode(t, shop, { code: 'SEVEN', type: 'PERCENTAGE', bps: 700 });
  for (const [code, currency] of Object.entries({ KW: 'KWD', MG: 'MGA', JP: 'JPY' }))
    await call('POST', '/markets', {
      code,
      currency,
      taxBps: 525,
      taxRates: [{ category: 'books', taxBps: 190 }],
    });
  const prices = ['KW', 'MG', 'JP'].map((marketId) => ({ marketId, price: 1255 }));
  await call('POST', '/shipping-methods', { id: 'desert', name: 'Desert', prices });
});

const call = <Body>(method: string, path: string, body: object) =>
  t.rest<Body>(method, `/v1/businesses/${shop.businessId}${path}`, { as: shop.admin, body });

async function addPricedProduct(price: number, category = 'tea'): Promise<SoldProduct> {
  const markets = Object.entries({ KW: 'KWD', MG: 'MGA', JP: 'JPY' }).map(([marketId, currency]) => ({
    marketId,
    currency,
    price,
  }));
  const { body } = await call<{ id: string; variants: { id: string }[] }>('POST', '/products', {
    name: 'Tea',
    category,
    variants: [{ name: 'Small', sku: `SKU-${newId()}`, pricing: { markets } }],
  });
  return { productId: body.id, variantId: body.variants[0]?.id ?? '' };
}

interface Priced {
  id: string;
  subtotal: number;
  discount: number;
  tax: number;
  shipping: number;
  total: number;
  lines: { totalPrice: number; discount: number; tax: number }[];
}

const totalsOf = ({ subtotal, discount, tax, shipping, total }: Priced) => ({
  subtotal,
  discount,
  tax,
  shipping,
  total,
});

/** Quotes a cart, checks it out with the quote, and returns quote, order and the amount of the Stripe session. */
async function checkOut(market: string, items: object[], more: object = {}) {
  const terms = { market, shippingMethodId: 'desert', ...more };
  const quote = (
    await postQuote<Priced>(t, customer, { businessId: shop.businessId, lines: items, ...terms })
  ).body;
  const checkout = await t.rest<{ orderId: string; checkoutUrl: string }>('POST', `${shop.orders}/checkout`, {
    as: customer,
    body: { ...terms, items, quote: quote.id },
  });
  expect([checkout.status, detailErrors(checkout.body)]).toEqual([200, []]);
  const { orderId, checkoutUrl } = checkout.body;
  const order = (await t.rest<Priced>('GET', `${shop.orders}/${orderId}`, { as: shop.admin })).body;
  const session = server.sessions.get(checkoutUrl.split('/').at(-1) ?? '');
  return { quote, order, charged: Number(session?.amount_total), session };
}

async function pay(orderId: string, session: Record<string, unknown>) {
  Object.assign(session, { payment_intent: `pi_${orderId}`, payment_status: 'paid', status: 'complete' });
  const payload = JSON.stringify({
    id: `evt_${newId()}`,
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: { ...session, metadata: { reference: `order:${orderId}` } } },
  });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret });
  await t.rest('POST', '/v1/payments/webhooks/stripe', {
    body: payload,
    headers: { 'stripe-signature': signature },
  });
}

const roundTo = (step: number, amount: number) => Math.round(amount / step) * step;

describe.each([
  ['KW', 10, 1],
  ['MG', 100, 0.01],
  ['JP', 1, 1],
])('in market %s, where amounts are multiples of %d', (market, step, stripeFactor) => {
  it('quote, order and charge of any cart are the same', async () => {
    for (let n = 0; n < 8; n += 1) {
      const [first, second] = [1234 + 7 * n, 2503 + 111 * n];
      const [tea, book] = [await addPricedProduct(first), await addPricedProduct(second, 'books')];
      const { quote, order, charged } = await checkOut(
        market,
        [
          { ...tea, quantity: 3 },
          { ...book, quantity: 1 + n },
        ],
        n % 2 === 0 ? { promoCode: 'SEVEN' } : {},
      );
      const prices = [3 * roundTo(step, first), (1 + n) * roundTo(step, second)];
      const subtotal = (prices[0] ?? 0) + (prices[1] ?? 0);
      expect(quote).toMatchObject({
        subtotal,
        shipping: roundTo(step, 1255),
        discount: n % 2 === 0 ? roundTo(step, (subtotal * 700) / 10_000) : 0,
      });
      const taxes = quote.lines.map(({ totalPrice, discount }, index) =>
        roundTo(step, ((totalPrice - discount) * (index === 0 ? 525 : 190)) / 10_000),
      );
      expect(quote.lines.map(({ tax }) => tax)).toEqual(taxes);
      expect(totalsOf(order)).toEqual(totalsOf(quote));
      expect(order.total % step).toBe(0);
      expect(charged).toBe(order.total * stripeFactor);
      for (const line of order.lines) expect([line.discount % step, line.tax % step]).toEqual([0, 0]);
    }
  });

  it('units are refunded one by one in payable amounts that add up', async () => {
    const tea = await addPricedProduct(1230 * step);
    const { order, session } = await checkOut(market, [{ ...tea, quantity: 7 }], { promoCode: 'SEVEN' });
    await pay(order.id, session ?? {});
    const amounts: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const refund = await t.rest<{ amount: number }>('POST', `${shop.orders}/${order.id}/refunds`, {
        as: shop.admin,
        body: { lines: [{ line: 0, quantity: 1 }] },
      });
      expect([refund.status, detailErrors(refund.body)]).toEqual([200, []]);
      amounts.push(refund.body.amount);
    }
    expect(amounts.filter((amount) => amount % step !== 0)).toEqual([]);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(order.total - order.shipping);
  });
});

it.each([
  ['kwd', 1005, 1010],
  ['mga', 150, 2],
  ['jpy', 7, 7],
])('the page of a newsletter plan in %s asks for a payable amount', async (currency, amount, charged) => {
  const base = `/v1/businesses/${shop.businessId}/collections`;
  const plans = [{ id: 'p', name: 'P', price: { amount, currency, interval: 'ONCE' } }];
  const { body: letter } = await t.rest<{ id: string }>('POST', base, {
    as: shop.admin,
    body: { name: 'Letter', type: 'NEWSLETTER', plans },
  });
  const { status, body } = await t.rest<{ checkoutUrl: string }>('POST', `${base}/${letter.id}/subscribe`, {
    as: customer,
    body: { email: `${newId()}@people.example`, planId: 'p' },
  });
  expect(status).toBe(200);
  const session = server.sessions.get(body.checkoutUrl.split('/').at(-1) ?? '');
  expect(Number(session?.amount_total)).toBe(charged);
});
