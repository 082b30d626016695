/** Stripe adapter through the Stripe SDK, against a local server that implements the endpoints in use. */
import Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import type { PaymentAttempt } from '../../src/domains/payments/model.ts';
import { openCheckoutSession } from '../../src/domains/payments/open-checkout-session.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  loadStock,
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
let pot: SoldProduct;

beforeAll(async () => {
  server = await startStripeServer();
  t = await testApp({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: server.url,
  });
  shop = await createSellingShop(t);
  customer = await t.person({ email: 'ada@people.example' });
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, name: 'Pot' });
  await addPromoCode(t, shop, { code: 'TEN', type: 'PERCENTAGE', bps: 1000 });
});

beforeEach(() => {
  server.calls.length = 0;
  server.failWith = undefined;
});

const checkOut = (headers = {}) =>
  t.rest<{ orderId: string; checkoutUrl: string }>('POST', `${shop.orders}/checkout`, {
    as: customer,
    headers,
    body: {
      market: 'US',
      paymentMethod: 'STRIPE',
      shippingMethodId: 'standard',
      promoCode: 'TEN',
      items: [{ ...pot, quantity: 2 }],
      returnUrl: 'http://shop.test/done',
      cancelUrl: 'http://shop.test/cart',
    },
  });

const statusOf = async (orderId: string) => {
  const { data } = await t.graphql(
    'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { status currentPaymentStatus captured refunded } }',
    { b: shop.businessId, id: orderId },
    { as: shop.admin },
  );
  return (data as unknown as { order: Record<string, unknown> }).order;
};

async function deliverEvent(
  type: string,
  object: object,
  { secret = webhookSecret, timestamp = now(), id = `evt_${newId()}` } = {},
) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
  return (
    await t.rest('POST', '/v1/payments/webhooks/stripe', {
      body: payload,
      headers: { 'stripe-signature': signature },
    })
  ).status;
}

const session = (orderId: string, more: object = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  client_reference_id: `order:${orderId}`,
  metadata: { reference: `order:${orderId}` },
  payment_intent: `pi_${orderId}`,
  payment_status: 'paid',
  amount_total: 2539,
  currency: 'usd',
  ...more,
});

describe('a checkout session', () => {
  it('is created for exactly the order total, with the order reference as idempotency key', async () => {
    const { body } = await checkOut();
    expect(body.checkoutUrl).toMatch(/^https:\/\/checkout\.stripe\.test\/c\/cs_test_/);
    expect(server.calls).toHaveLength(1);
    const [{ path, key, authorization, form } = { path: '', key: '', authorization: '', form: {} }] =
      server.calls;
    expect([path, key, authorization]).toEqual([
      '/v1/checkout/sessions',
      `order:${body.orderId}`,
      'Bearer sk_test_x',
    ]);
    expect(form).toMatchObject({
      mode: 'payment',
      client_reference_id: `order:${body.orderId}`,
      'metadata[reference]': `order:${body.orderId}`,
      'payment_intent_data[metadata][reference]': `order:${body.orderId}`,
      'payment_intent_data[description]': expect.stringMatching(/^Order 1\d{3}$/),
      success_url: `http://shop.test/done?orderId=${body.orderId}`,
      cancel_url: `http://shop.test/cart?orderId=${body.orderId}`,
      customer_email: 'ada@people.example',
      'line_items[0][price_data][product_data][name]': '2 × Pot, Small',
      'line_items[0][price_data][unit_amount]': '1800',
      'line_items[1][price_data][product_data][name]': 'Tax',
      'line_items[1][price_data][unit_amount]': '149',
      'line_items[2][price_data][unit_amount]': '590',
    });
  });

  it('is reused by a retry when its record was lost, and replaced when it is too old', async () => {
    const headers = { 'idempotency-key': newId() };
    const first = await checkOut(headers);
    const lose = () =>
      t.db.write(
        `update payment_attempts set session_id = null, url = null, state = 'NEW' where subject_id = $1`,
        [first.body.orderId],
      );
    await lose();
    expect((await checkOut(headers)).body).toEqual(first.body);
    // Stripe requires an expiry at least 30 minutes ahead, so an old order needs a new session.
    await t.db.write('update payment_attempts set expires_at = expires_at - 900 where subject_id = $1', [
      first.body.orderId,
    ]);
    await lose();
    const late = await checkOut(headers);
    expect(late.status).toBe(200);
    expect(late.body.checkoutUrl).not.toBe(first.body.checkoutUrl);
  });

  it('is the same for two concurrent requests, even if Stripe created two', async () => {
    const { body } = await checkOut();
    const [attempt] = await t.db.write<PaymentAttempt>(
      `update payment_attempts set session_id = null, url = null, state = 'NEW' where subject_id = $1
       returning id, reference || ':late' as reference, amount, currency, expires_at - 900 as "expiresAt"`,
      [body.orderId],
    );
    if (!attempt) throw new Error('The payment attempt is missing.');
    const lines = [{ name: 'All', quantity: 1, amount: attempt.amount }];
    const urls = { returnUrl: 'http://shop.test/done', cancelUrl: 'http://shop.test/cart' };
    const make = (later: number) =>
      openCheckoutSession(
        t.app.services,
        { ...attempt, expiresAt: attempt.expiresAt + later },
        { merchant: 'Shop', lines, ...urls },
      );
    const before = server.sessions.size;
    const [one, other] = await Promise.all([make(0), make(7200)]);
    expect(one).toBe(other);
    const createdSessions = [...server.sessions.values()].slice(before);
    expect(createdSessions.map(({ url, status }) => [url === one, status]).sort()).toEqual([
      [false, 'expired'],
      [true, 'open'],
    ]);
  });

  it('that cannot be created rolls the order back', async () => {
    const before = await loadStock(t, pot);
    server.failWith = 402;
    const failed = await checkOut();
    expect(failed.status).toBe(503);
    expect(JSON.stringify(failed.body)).not.toContain('broke');
    expect(await loadStock(t, pot)).toBe(before);
  });

  it('is expired when the order expires', async () => {
    const { body } = await checkOut();
    await t.db.write('update orders set expires_at = $2 where id = $1', [body.orderId, now() - 1]);
    await expireOrders(t.app.services);
    await t.app.drainJobs();
    expect(server.calls.at(-2)?.path).toMatch(/^\/v1\/checkout\/sessions\/cs_test_\d+\/expire$/);
    expect(await statusOf(body.orderId)).toMatchObject({
      status: 'CANCELLED',
      currentPaymentStatus: 'FAILED',
    });
  });
});

describe('webhooks', () => {
  it('pay, fail and refund orders', async () => {
    const { body } = await checkOut();
    const { orderId } = body;
    const intent = {
      id: `pi_${orderId}`,
      amount: 2539,
      currency: 'usd',
      metadata: { reference: `order:${orderId}` },
    };
    expect(await deliverEvent('payment_intent.payment_failed', intent)).toBe(200);
    expect(await statusOf(orderId)).toMatchObject({ status: 'PENDING', currentPaymentStatus: 'FAILED' });
    expect(
      await deliverEvent('checkout.session.completed', session(orderId, { payment_status: 'unpaid' })),
    ).toBe(200);
    expect(await statusOf(orderId)).toMatchObject({ status: 'PENDING' });
    expect(await deliverEvent('checkout.session.async_payment_succeeded', session(orderId))).toBe(200);
    expect(await deliverEvent('checkout.session.completed', session(orderId))).toBe(200);
    expect(await statusOf(orderId)).toEqual({
      status: 'PROCESSING',
      currentPaymentStatus: 'PAID',
      captured: 2539,
      refunded: 0,
    });
    // A refund made in the Stripe dashboard has no metadata and is matched by its payment intent.
    const charge = {
      object: 'charge',
      payment_intent: `pi_${orderId}`,
      amount_refunded: 100,
      currency: 'usd',
      metadata: {},
    };
    expect(await deliverEvent('charge.refunded', charge)).toBe(200);
    expect(await statusOf(orderId)).toMatchObject({
      currentPaymentStatus: 'PARTIALLY_REFUNDED',
      refunded: 100,
    });
    const dispute = { object: 'dispute', payment_intent: `pi_${orderId}`, amount: 2539, currency: 'usd' };
    expect(await deliverEvent('charge.dispute.created', dispute)).toBe(200);
    const { data } = await t.graphql(
      'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { disputedAt } }',
      { b: shop.businessId, id: orderId },
      { as: shop.admin },
    );
    expect(data).toEqual({ order: { disputedAt: expect.any(Number) } });
    expect(await deliverEvent('customer.created', { object: 'customer' })).toBe(200);
  });

  it('of a lost dispute count the disputed amount as refunded, in any order of events', async () => {
    const { orderId } = (await checkOut()).body;
    expect(await deliverEvent('checkout.session.completed', session(orderId))).toBe(200);
    const payment = { payment_intent: `pi_${orderId}`, currency: 'usd' };
    const dispute = { object: 'dispute', ...payment, amount: 1500 };
    expect(await deliverEvent('charge.dispute.closed', { ...dispute, status: 'won' })).toBe(200);
    expect(await statusOf(orderId)).toMatchObject({ currentPaymentStatus: 'PAID', refunded: 0 });
    server.sessions.set(`cs_${orderId}`, session(orderId));
    server.disputes.push({ ...dispute, status: 'lost' }, { ...dispute, amount: 1, status: 'won' });
    expect(await deliverEvent('charge.dispute.closed', { ...dispute, status: 'lost' })).toBe(200);
    expect(await statusOf(orderId)).toMatchObject({
      currentPaymentStatus: 'PARTIALLY_REFUNDED',
      refunded: 1500,
    });
    server.refunds.set('re_dashboard', { id: 're_dashboard', ...payment, amount: 39, status: 'succeeded' });
    const charge = { object: 'charge', ...payment, amount_refunded: 39, disputed: true };
    expect(await deliverEvent('charge.refunded', charge)).toBe(200);
    expect(await statusOf(orderId)).toMatchObject({ refunded: 1539 });
  });

  it('are rejected with a wrong secret, an old timestamp or another body', async () => {
    const { body } = await checkOut();
    const paid = session(body.orderId);
    expect(await deliverEvent('checkout.session.completed', paid, { secret: 'whsec_other' })).toBe(400);
    expect(await deliverEvent('checkout.session.completed', paid, { timestamp: now() - 3600 })).toBe(400);
    expect(
      (await t.rest('POST', '/v1/payments/webhooks/stripe', { body: JSON.stringify(paid) })).status,
    ).toBe(400);
    expect((await t.rest('POST', '/v1/payments/webhooks/sandbox', { body: '{}' })).status).toBe(404);
    expect((await t.app.fetch(new Request('http://localhost/sandbox/pay/x'))).status).toBe(404);
    expect(await statusOf(body.orderId)).toMatchObject({ status: 'PENDING', captured: 0 });
  });
});

describe('refunds', () => {
  it('are sent to Stripe with the refund id as idempotency key', async () => {
    const { body } = await checkOut();
    await deliverEvent('checkout.session.completed', session(body.orderId));
    const refund = (amount: number) =>
      t.graphql(
        `mutation ($b: ID!, $id: ID!, $amount: Money!) { refundOrder(businessId: $b, id: $id, input: { amount: $amount }) {
          order { refunded refunds { id status } } } }`,
        { b: shop.businessId, id: body.orderId, amount },
        { as: shop.admin },
      );
    const answer = await refund(1000);
    const { order } = (
      answer.data as unknown as { refundOrder: { order: { refunded: number; refunds: { id: string }[] } } }
    ).refundOrder;
    expect(order).toMatchObject({ refunded: 1000, refunds: [{ status: 'SUCCEEDED' }] });
    expect(server.calls.at(-1)).toMatchObject({
      path: '/v1/refunds',
      key: order.refunds[0]?.id,
      form: { payment_intent: `pi_${body.orderId}`, amount: '1000' },
    });
    // Stripe also sends an event for this refund: it must count once.
    const charge = {
      object: 'charge',
      payment_intent: `pi_${body.orderId}`,
      amount_refunded: 1000,
      currency: 'usd',
      metadata: {},
    };
    await deliverEvent('charge.refunded', charge);
    expect(await statusOf(body.orderId)).toMatchObject({ refunded: 1000 });
  });
});

it('the Stripe configuration must be complete, and is required in production', () => {
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'sk' })).toThrow('STRIPE_WEBHOOK_SECRET');
  expect(() => readConfig({ NODE_ENV: 'production' })).toThrow('STRIPE_SECRET_KEY');
});

it('a cart of 500 lines is merged into at most 100 Stripe line items', async () => {
  const answer = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as: customer,
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      items: Array.from({ length: 500 }, () => ({ ...pot, quantity: 1 })),
    },
  });
  expect(answer.status).toBe(200);
  const form = server.calls.find(({ path }) => path === '/v1/checkout/sessions')?.form ?? {};
  const amounts = Object.entries(form).filter(([name]) => name.endsWith('[unit_amount]'));
  expect(amounts.length).toBeLessThanOrEqual(100);
  // 500,000 of goods with 825 bps of tax; shipping is free.
  expect(amounts.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(541_250);
});
