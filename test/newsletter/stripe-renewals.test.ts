/** Plans that renew through Stripe's subscriptions, with its own SDK against a server that speaks its protocol. */
import Stripe from 'stripe';
import { beforeAll, expect, it } from 'vitest';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { type StripeServer, stripeServer } from '../support/stripe-server.ts';
import { beginSubscription } from '../support/stripe-subscriptions.ts';

const webhookSecret = 'whsec_test';
const stripe = new Stripe('sk_test_x');
const month = 30 * 86_400;
let t: TestApp;
let server: StripeServer;
let shop: Shop;
let base: string;

beforeAll(async () => {
  server = await stripeServer();
  t = await testApp({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: server.url,
  });
  shop = await t.shop();
  base = `/v1/businesses/${shop.businessId}`;
});

async function tell(type: string, object: object): Promise<number> {
  const payload = JSON.stringify({ id: `evt_${newId()}`, object: 'event', type, data: { object } });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret });
  const headers = { 'stripe-signature': signature };
  const { status } = await t.rest('POST', '/v1/payments/webhooks/stripe', { body: payload, headers });
  await t.app.drainJobs();
  return status;
}

/** A page that somebody is about to pay, and the subscription and bills that Stripe makes of it. */
async function reader() {
  const { body: letter } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
    as: shop.admin,
    body: {
      name: 'Letter',
      type: 'NEWSLETTER',
      plans: [{ id: 'pro', name: 'Pro', price: { amount: 900, currency: 'usd', interval: 'MONTHLY' } }],
    },
  });
  const email = `${newId()}@mail.example`;
  await t.rest('POST', `${base}/collections/${letter.id}/subscribe`, {
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
  const bill = (number: number, more: object = {}) => {
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
    const invoice = bill(1).id;
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
    bill,
    completed,
    stored,
    captured,
    token,
    endOf: (n: number) => BigInt(start + n * month),
  };
}

it('begins on a page in subscription mode, and is paid once by whichever event comes first', async () => {
  const one = await reader();
  expect(server.calls.at(-1)?.form).toMatchObject({
    mode: 'subscription',
    'subscription_data[metadata][reference]': `subscription:${one.id}`,
    'line_items[0][price_data][recurring][interval]': 'month',
    'line_items[0][price_data][unit_amount]': '900',
  });
  expect(server.calls.at(-1)?.form).not.toHaveProperty('payment_intent_data[metadata][reference]');
  const renewal = one.bill(2);
  // A renewal before its beginning is known: Stripe comes back with it.
  expect(await tell('invoice.paid', renewal)).toBe(503);
  expect(await tell('invoice.paid', one.bill(1))).toBe(200);
  expect(await tell('checkout.session.completed', one.completed())).toBe(200);
  expect(await one.stored()).toEqual({
    status: 'ACTIVE',
    renewalState: 'ACTIVE',
    currentPeriodEnd: one.endOf(1),
    cancelAtPeriodEnd: false,
  });
  for (const invoice of [one.bill(3), renewal, renewal, one.bill(3)]) await tell('invoice.paid', invoice);
  expect(await one.stored()).toMatchObject({ renewalState: 'ACTIVE', currentPeriodEnd: one.endOf(3) });
  expect(await one.captured()).toBe(3 * 900);
});

it('is past due when a bill is not paid, recovers, and ends when Stripe says so', async () => {
  const one = await reader();
  await tell('checkout.session.completed', one.completed());
  const unpaid = one.bill(2, { status: 'open', amount_paid: 0, payments: { object: 'list', data: [] } });
  expect(await tell('invoice.payment_failed', unpaid)).toBe(200);
  expect(await one.stored()).toMatchObject({ status: 'ACTIVE', renewalState: 'PAST_DUE' });
  await tell('invoice.paid', one.bill(2));
  // Told late: what counts is what Stripe answers now.
  await tell('invoice.payment_failed', unpaid);
  expect(await one.stored()).toMatchObject({ renewalState: 'ACTIVE', currentPeriodEnd: one.endOf(2) });
  Object.assign(server.subscriptions.get(one.subscription) ?? {}, { status: 'canceled' });
  await tell('customer.subscription.updated', {
    id: one.subscription,
    status: 'active',
    metadata: { reference: `subscription:${one.id}` },
  });
  expect(await one.stored()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
  expect(await one.captured()).toBe(1800);
});

it('is cancelled, resumed and ended with Stripe', async () => {
  const one = await reader();
  await tell('checkout.session.completed', one.completed());
  const act = (what: string) =>
    t.rest('POST', `${base}/subscriptions/${one.id}/${what}`, { body: { token: one.token } });
  expect((await act('cancel')).body).toMatchObject({ cancelAtPeriodEnd: true });
  expect(server.subscriptions.get(one.subscription)).toMatchObject({ cancel_at_period_end: true });
  expect((await act('resume')).body).toMatchObject({ cancelAtPeriodEnd: false });
  server.failWith = 500;
  expect((await act('cancel')).status).toBe(503);
  server.failWith = undefined;
  await t.rest('POST', `${base}/collections/unsubscribe`, { body: { token: one.token } });
  await t.app.drainJobs();
  // Ended first, and asked then for what it has billed.
  expect(server.calls.slice(-3).map(({ path }) => path.split('?')[0])).toEqual([
    `DELETE /v1/subscriptions/${one.subscription}`,
    `/v1/subscriptions/${one.subscription}`,
    '/v1/invoices',
  ]);
  // A bill that was on its way goes back.
  await tell('invoice.paid', one.bill(2));
  expect(await one.captured()).toBe(900);
  expect(server.calls.find(({ form }) => form.payment_intent === `pi_${one.id}_2`)).toMatchObject({
    path: '/v1/refunds',
    form: { amount: '900' },
  });
});

it('opens another page when a delayed payment has failed and nobody told', async () => {
  const one = await reader();
  const [page] = [...server.sessions.values()].slice(-1);
  if (!page) throw new Error('There is no page.');
  Object.assign(page, { status: 'complete', payment_status: 'unpaid' });
  beginSubscription(server, page, false);
  await tell('checkout.session.completed', { ...page, metadata: { reference: `subscription:${one.id}` } });
  const states = async () =>
    (
      await t.db.prisma.paymentAttempt.findMany({ where: { subjectId: one.id }, orderBy: { number: 'asc' } })
    ).map(({ state }) => state);
  await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
  expect(await states()).toEqual(['PROCESSING']);
  Object.assign(server.invoices.get(String(page.invoice)) ?? {}, { intentStatus: 'requires_payment_method' });
  await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
  expect(await states()).toEqual(['CLOSED']);
});
