/** A payment provider that does not answer: no refund is paid twice, a failed checkout leaves nothing behind, and the response is true. */
import Stripe from 'stripe';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { newId } from '../../src/lib/ids.ts';
import { runAllJobs } from '../simulation/run-jobs.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { onPostgres } from '../support/database.ts';
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
const timeoutMs = 4000;
const total = 1673;
let t: TestApp;
let server: StripeServer;
let shop: SellingShop;
let pot: SoldProduct;
let customer: Person;

beforeAll(async () => {
  server = await startStripeServer();
  t = await testApp({
    OPERATION_TIMEOUT: `${timeoutMs}ms`,
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: server.url,
  });
  shop = await createSellingShop(t);
  customer = await t.guest();
  pot = await addProduct(t, shop, { price: 1000, stock: 100, name: 'Pot' });
  await addPromoCode(t, shop, { code: 'FREIGHT', type: 'FREE_SHIPPING' });
  // Warm-up, so that compilation does not count towards the deadline.
  for (let run = 0; run < 3; run += 1) await checkOutCart(await t.guest());
  await refund(await buyAndPay(), { amount: 1 });
});
afterEach(() => {
  server.failure = undefined;
});

interface Page {
  orderId: string;
  checkoutUrl: string;
}

const carts = () => `/v1/businesses/${shop.businessId}/carts`;

async function fillCart(as: Person) {
  await t.rest('POST', carts(), { as, body: { market: 'US' } });
  await t.rest('PUT', `${carts()}/me`, { as, body: { shippingMethodId: 'standard', promoCode: 'FREIGHT' } });
  await t.rest('POST', `${carts()}/me/lines`, { as, body: { ...pot, quantity: 2 } });
}
const cartLines = async (as: Person) =>
  (await t.rest<{ lines: { quantity: number }[] }>('GET', `${carts()}/me`, { as })).body.lines;
const checkOut = (as: Person, headers: Record<string, string> = {}) =>
  t.rest<Page & { error?: string; message?: string }>('POST', `${carts()}/me/checkout`, {
    as,
    body: {},
    headers,
  });
async function checkOutCart(as: Person) {
  await fillCart(as);
  return checkOut(as);
}

async function buyAndPay(): Promise<string> {
  const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: customer,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
  });
  const session = server.sessions.get(body.checkoutUrl.split('/').at(-1) ?? '');
  Object.assign(session ?? {}, {
    status: 'complete',
    payment_status: 'paid',
    payment_intent: `pi_${body.orderId}`,
  });
  const payload = JSON.stringify({
    id: `evt_${newId()}`,
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: { ...session, metadata: { reference: `order:${body.orderId}` } } },
  });
  const signature = await new Stripe('sk_test_x').webhooks.generateTestHeaderStringAsync({
    payload,
    secret: webhookSecret,
  });
  await t.rest('POST', '/v1/payments/webhooks/stripe', {
    body: payload,
    headers: { 'stripe-signature': signature },
  });
  return body.orderId;
}

const refund = (orderId: string, body: object, headers: Record<string, string> = {}) =>
  t.rest<{ id: string; status: string; error?: string }>('POST', `${shop.orders}/${orderId}/refunds`, {
    as: shop.admin,
    body,
    headers,
  });

const refundedAtProvider = (orderId: string) =>
  [...server.refunds.values()]
    .filter(({ payment_intent }) => payment_intent === `pi_${orderId}`)
    .map(({ amount }) => amount);

const pagesOf = (orderId: string) =>
  [...server.sessions.values()]
    .filter(({ client_reference_id }) => client_reference_id === `order:${orderId}`)
    .map(({ status }) => status);

const promoUses = async () =>
  (await t.db.prisma.promoCode.findFirstOrThrow({ where: { code: 'FREIGHT' } })).uses;

/** `hang`: the refund takes effect without a response; `stall`: it takes effect later. */
it.each(['hang', 'stall'] as const)('a refund stays PENDING and is paid once (%s)', async (failure) => {
  const orderId = await buyAndPay();
  server.failure = () => failure;
  const key = { 'idempotency-key': newId() };
  const startedAt = performance.now();
  const first = await refund(orderId, {}, key);
  expect(performance.now() - startedAt).toBeLessThan(timeoutMs);
  expect([first.status, first.body.status]).toEqual([200, 'PENDING']);
  server.failure = () => 'down';
  expect((await refund(orderId, {}, key)).body).toMatchObject({ id: first.body.id, status: 'PENDING' });
  // Without the key it is another refund: nothing is left for it.
  expect((await refund(orderId, {})).status).toBe(422);
  expect((await refund(orderId, { amount: 1 })).status).toBe(422);
  server.failure = undefined;
  server.releaseStalled();
  await runAllJobs({ t });
  expect(refundedAtProvider(orderId)).toEqual([total]);
  expect((await refund(orderId, {}, key)).body).toMatchObject({ id: first.body.id, status: 'SUCCEEDED' });
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it.each(['hang', 'stall'] as const)(
  'a cart checkout is undone, and its late page is closed (%s)',
  async (failure) => {
    const buyer = await t.guest();
    await fillCart(buyer);
    const before = [await loadStock(t, pot), await promoUses(), await cartLines(buyer)];
    const key = { 'idempotency-key': newId() };
    server.failure = () => failure;
    server.calls.length = 0;
    const answer = await checkOut(buyer, key);
    server.failure = undefined;
    expect([answer.status, answer.body.error]).toEqual([503, 'UNAVAILABLE']);
    expect(answer.body.message).toContain('No order was placed');
    const [stock, uses, lines] = [await loadStock(t, pot), await promoUses(), await cartLines(buyer)];
    expect([stock, uses]).toEqual(before.slice(0, 2));
    expect(lines).toMatchObject([{ ...pot, quantity: 2 }]);
    const [order] = await t.db.prisma.order.findMany({ where: { customerId: buyer.userId } });
    expect(order?.status).toBe('CANCELLED');
    server.releaseStalled();
    expect(server.calls.filter(({ path }) => path === '/v1/checkout/sessions')).toHaveLength(1);
    expect(pagesOf(order?.id ?? '')).toEqual(['open']);
    await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
    expect(pagesOf(order?.id ?? '')).toEqual(['expired']);
    const retried = await checkOut(buyer, key);
    expect([retried.status, retried.body.orderId === order?.id]).toEqual([200, false]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  },
);

it.runIf(onPostgres)('is not undone when a retry is storing its payment page at that moment', async () => {
  const buyer = await t.guest();
  server.failure = () => 'hang';
  const checkout = t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: buyer,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
  });
  const url = 'https://pay.example/retry';
  await t.db.transaction(async (tx) => {
    const storePage = () =>
      tx.write(
        `update payment_attempts set session_id = 'retry', url = $2, state = 'OPEN'
         where subject_id = (select id from orders where customer_id = $1) returning 1`,
        [buyer.userId, url],
      );
    await expect.poll(storePage).toHaveLength(1);
    const waiting = () =>
      t.db.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    await expect.poll(waiting, { timeout: 3 * timeoutMs }).toHaveLength(1);
  });
  const { status, body } = await checkout;
  expect([status, body.checkoutUrl]).toEqual([200, url]);
  const order = await t.db.prisma.order.findFirstOrThrow({ where: { customerId: buyer.userId } });
  expect(order.status).toBe('PENDING');
});

it('a payment link that is requested again opens the same page', async () => {
  const { body } = await t.rest<{ id: string }>('POST', shop.orders, {
    as: shop.admin,
    body: {
      customerId: customer.userId,
      market: 'US',
      currency: 'USD',
      lines: [{ type: 'PRODUCT_VARIANT', ...pot, quantity: 1, unitPrice: 1000, totalPrice: 1000 }],
      subtotal: 1000,
      tax: 0,
      shipping: 0,
      total: 1000,
    },
  });
  const link = () =>
    t.rest<Page>('POST', `${shop.orders}/${body.id}/payment-link`, { as: shop.admin, body: {} });
  server.failure = () => 'hang';
  expect((await link()).status).toBe(503);
  server.failure = undefined;
  const { checkoutUrl } = (await link()).body;
  expect(pagesOf(body.id)).toEqual(['open']);
  expect(server.sessions.has(checkoutUrl.split('/').at(-1) ?? '')).toBe(true);
});

it('the cancellation of a subscription follows the provider when its response was lost', async () => {
  const base = `/v1/businesses/${shop.businessId}`;
  const as = shop.admin;
  const { body: newsletter } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
    as,
    body: { name: 'Letter', type: 'NEWSLETTER' },
  });
  const { body: subscription } = await t.rest<{ id: string }>(
    'POST',
    `${base}/collections/${newsletter.id}/subscribe`,
    { as, body: { email: `${newId()}@mail.example` } },
  );
  const [id, start] = [`sub_${subscription.id}`, Math.floor(Date.now() / 1000)];
  server.subscriptions.set(id, { id, object: 'subscription', status: 'active', cancel_at_period_end: false });
  await t.db.write(
    `update subscriptions set recurring_id = $2, renewal_state = 'ACTIVE', current_period_start = $3, current_period_end = $4,
       cancel_at_period_end = false where id = $1`,
    [subscription.id, id, start, start + 30 * 86_400],
  );
  server.failure = () => 'hang';
  const answer = await t.rest('POST', `${base}/subscriptions/${subscription.id}/cancel`, { as, body: {} });
  expect([answer.status, answer.body.error]).toEqual([503, 'UNAVAILABLE']);
  server.failure = undefined;
  await runAllJobs({ t });
  expect(await t.db.prisma.subscription.findUniqueOrThrow({ where: { id: subscription.id } })).toMatchObject({
    cancelAtPeriodEnd: true,
  });
});
