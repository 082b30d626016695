/** Renewing plans on Stripe subscriptions: the Stripe SDK against a fake Stripe server. */
import Stripe from 'stripe';
import { beforeAll, expect, it } from 'vitest';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
import { createStripeSubscription } from '../support/stripe-subscriptions.ts';

const webhookSecret = 'whsec_test';
const stripe = new Stripe('sk_test_x');
const month = 30 * 86_400;
let t: TestApp;
let server: StripeServer;
let shop: Shop;
let base: string;

beforeAll(async () => {
  server = await startStripeServer();
  t = await testApp({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: server.url,
  });
  shop = await t.shop();
  base = `/v1/businesses/${shop.businessId}`;
});

async function sendWebhook(type: string, object: object): Promise<number> {
  const payload = JSON.stringify({ id: `evt_${newId()}`, object: 'event', type, data: { object } });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret });
  const headers = { 'stripe-signature': signature };
  const { status } = await t.rest('POST', '/v1/payments/webhooks/stripe', { body: payload, headers });
  await t.app.drainJobs();
  return status;
}

/** Creates a subscription with an open payment page, and helpers for its Stripe subscription and invoices. */
async function createSubscriber() {
  const { body: newsletter } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
    as: shop.admin,
    body: {
      name: 'Letter',
      type: 'NEWSLETTER',
      plans: [{ id: 'pro', name: 'Pro', price: { amount: 900, currency: 'usd', interval: 'MONTHLY' } }],
    },
  });
  const email = `${newId()}@mail.example`;
  await t.rest('POST', `${base}/collections/${newsletter.id}/subscribe`, {
    as: shop.admin,
    body: { email, planId: 'pro' },
  });
  const { id } = await t.db.prisma.subscription.findFirstOrThrow({ where: { key: email } });
  const [reference, subscription, start] = [`subscription:${id}`, `sub_${id}`, now() - 3 * month];
  const metadata = { reference };
  server.subscriptions.set(subscription, {
    id: subscription,
    object: 'subscription',
    status: 'active',
    cancel_at_period_end: false,
    metadata,
  });
  const createInvoice = (number: number, more: object = {}) => {
    const invoice = {
      id: `in_${id}_${number}`,
      object: 'invoice',
      status: 'paid',
      attempt_count: 1,
      billing_reason: number === 1 ? 'subscription_create' : 'subscription_cycle',
      currency: 'usd',
      amount_due: 900,
      amount_paid: 900,
      parent: { type: 'subscription_details', subscription_details: { subscription, metadata } },
      lines: {
        object: 'list',
        data: [{ period: { start: start + (number - 1) * month, end: start + number * month } }],
      },
      payments: {
        object: 'list',
        data: [{ status: 'paid', payment: { type: 'payment_intent', payment_intent: `pi_${id}_${number}` } }],
      },
      ...more,
    };
    server.invoices.set(invoice.id, invoice);
    return invoice;
  };
  const completed = () => {
    const invoice = createInvoice(1).id;
    return {
      id: 'cs_1',
      object: 'checkout.session',
      mode: 'subscription',
      metadata,
      payment_status: 'paid',
      invoice,
      subscription,
      payment_intent: null,
      amount_total: 900,
      currency: 'usd',
    };
  };
  const stored = () =>
    t.db.prisma.subscription.findUniqueOrThrow({
      where: { id },
      select: { status: true, renewalState: true, currentPeriodEnd: true, cancelAtPeriodEnd: true },
    });
  const captured = async () =>
    (await t.db.prisma.paymentAttempt.findMany({ where: { subjectId: id, state: 'PAID' } })).reduce(
      (sum, attempt) => sum + Number(attempt.captured),
      0,
    );
  const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
  return {
    id,
    subscription,
    createInvoice,
    completed,
    stored,
    captured,
    token,
    endOf: (n: number) => BigInt(start + n * month),
  };
}

it('opens a session in subscription mode and is paid once by the first of its events', async () => {
  const subscriber = await createSubscriber();
  expect(server.calls.at(-1)?.form).toMatchObject({
    mode: 'subscription',
    'subscription_data[metadata][reference]': `subscription:${subscriber.id}`,
    'line_items[0][price_data][recurring][interval]': 'month',
    'line_items[0][price_data][unit_amount]': '900',
  });
  expect(server.calls.at(-1)?.form).not.toHaveProperty('payment_intent_data[metadata][reference]');
  const renewal = subscriber.createInvoice(2);
  // A renewal before the initial payment: 503, so that Stripe retries.
  expect(await sendWebhook('invoice.paid', renewal)).toBe(503);
  expect(await sendWebhook('invoice.paid', subscriber.createInvoice(1))).toBe(200);
  expect(await sendWebhook('checkout.session.completed', subscriber.completed())).toBe(200);
  expect(await subscriber.stored()).toEqual({
    status: 'ACTIVE',
    renewalState: 'ACTIVE',
    currentPeriodEnd: subscriber.endOf(1),
    cancelAtPeriodEnd: false,
  });
  for (const invoice of [subscriber.createInvoice(3), renewal, renewal, subscriber.createInvoice(3)])
    await sendWebhook('invoice.paid', invoice);
  expect(await subscriber.stored()).toMatchObject({
    renewalState: 'ACTIVE',
    currentPeriodEnd: subscriber.endOf(3),
  });
  expect(await subscriber.captured()).toBe(3 * 900);
});

it('becomes PAST_DUE on an unpaid invoice, recovers, and ends when Stripe reports the end', async () => {
  const subscriber = await createSubscriber();
  await sendWebhook('checkout.session.completed', subscriber.completed());
  const unpaid = subscriber.createInvoice(2, {
    status: 'open',
    amount_paid: 0,
    payments: { object: 'list', data: [] },
  });
  expect(await sendWebhook('invoice.payment_failed', unpaid)).toBe(200);
  expect(await subscriber.stored()).toMatchObject({ status: 'ACTIVE', renewalState: 'PAST_DUE' });
  await sendWebhook('invoice.paid', subscriber.createInvoice(2));
  // A late event: the current state at Stripe decides.
  await sendWebhook('invoice.payment_failed', unpaid);
  expect(await subscriber.stored()).toMatchObject({
    renewalState: 'ACTIVE',
    currentPeriodEnd: subscriber.endOf(2),
  });
  Object.assign(server.subscriptions.get(subscriber.subscription) ?? {}, { status: 'canceled' });
  await sendWebhook('customer.subscription.updated', {
    id: subscriber.subscription,
    status: 'active',
    metadata: { reference: `subscription:${subscriber.id}` },
  });
  expect(await subscriber.stored()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
  expect(await subscriber.captured()).toBe(1800);
});

it('cancels, resumes and ends at Stripe', async () => {
  const subscriber = await createSubscriber();
  await sendWebhook('checkout.session.completed', subscriber.completed());
  const post = (action: string) =>
    t.rest('POST', `${base}/subscriptions/${subscriber.id}/${action}`, { body: { token: subscriber.token } });
  expect((await post('cancel')).body).toMatchObject({ cancelAtPeriodEnd: true });
  expect(server.subscriptions.get(subscriber.subscription)).toMatchObject({ cancel_at_period_end: true });
  expect((await post('resume')).body).toMatchObject({ cancelAtPeriodEnd: false });
  server.failWith = 500;
  expect((await post('cancel')).status).toBe(503);
  server.failWith = undefined;
  await t.rest('POST', `${base}/collections/unsubscribe`, { body: { token: subscriber.token } });
  await t.app.drainJobs();
  // The subscription is cancelled first, then its invoices are read.
  expect(server.calls.slice(-3).map(({ path }) => path.split('?')[0])).toEqual([
    `DELETE /v1/subscriptions/${subscriber.subscription}`,
    `/v1/subscriptions/${subscriber.subscription}`,
    '/v1/invoices',
  ]);
  // An invoice that was paid in the meantime is refunded.
  await sendWebhook('invoice.paid', subscriber.createInvoice(2));
  expect(await subscriber.captured()).toBe(900);
  expect(server.calls.find(({ form }) => form.payment_intent === `pi_${subscriber.id}_2`)).toMatchObject({
    path: '/v1/refunds',
    form: { amount: '900' },
  });
});

it('closes the attempt when a delayed payment has failed without an event', async () => {
  const subscriber = await createSubscriber();
  const [page] = [...server.sessions.values()].slice(-1);
  if (!page) throw new Error('There is no session.');
  Object.assign(page, { status: 'complete', payment_status: 'unpaid' });
  createStripeSubscription(server, page, false);
  await sendWebhook('checkout.session.completed', {
    ...page,
    metadata: { reference: `subscription:${subscriber.id}` },
  });
  const states = async () =>
    (
      await t.db.prisma.paymentAttempt.findMany({
        where: { subjectId: subscriber.id },
        orderBy: { number: 'asc' },
      })
    ).map(({ state }) => state);
  await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
  expect(await states()).toEqual(['PROCESSING']);
  Object.assign(server.invoices.get(String(page.invoice)) ?? {}, { intentStatus: 'requires_payment_method' });
  await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
  expect(await states()).toEqual(['CLOSED']);
});
