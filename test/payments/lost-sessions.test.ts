/** Paid pages that the database does not know, because a commit was lost or the database was restored, and whose event never arrives. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { reconcileUnrecordedSessions } from '../../src/domains/payments/reconcile/find-and-record-unrecorded-sessions.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
import { createStripeSubscription } from '../support/stripe-subscriptions.ts';

const daySeconds = 86_400;
let server: StripeServer;
let t: TestApp;
let shop: SellingShop;
let pot: SoldProduct;

beforeAll(async () => {
  server = await startStripeServer();
  t = await testApp({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
    STRIPE_API_BASE: server.url,
  });
  shop = await createSellingShop(t);
  pot = await addProduct(t, shop, { price: 1000, stock: 1000 });
});
afterEach(() => vi.useRealTimers());

/** Places an order. Returns its id and its session at the provider. */
async function buy() {
  const { body } = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as: await t.guest(),
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
  });
  return { orderId: body.orderId, session: lastSession() };
}

const lastSession = () => [...server.sessions.values()].at(-1) ?? {};
const pay = (session: Record<string, unknown>, state = 'paid') =>
  Object.assign(session, {
    status: 'complete',
    payment_status: state,
    payment_intent: `pi_${session.id}`,
  });

/** Resets the attempt to its state before the commit that stores the session. */
const forgetSession = (orderId: string, state = 'NEW') =>
  t.db.write(
    `update payment_attempts set state = $2::"AttemptState", session_id = null, url = null where subject_id = $1`,
    [orderId, state],
  );

async function reconcile() {
  const differences: string[] = [];
  const onDifference = ({ about, ours, theirs }: { about: string; ours: string; theirs: string }) => {
    differences.push(`${about}: ${ours}, ${theirs}`);
  };
  await reconcilePayments(t.app.services, { eventGraceSeconds: 0, paymentGraceSeconds: 0, onDifference });
  await reconcileUnrecordedSessions(t.app.services, { days: 3, onDifference });
  await t.app.drainJobs();
  return differences;
}

async function stateOf(orderId: string) {
  const { data } = await t.graphql(
    `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { status currentPaymentStatus captured refunded amountDue } }`,
    { b: shop.businessId, id: orderId },
    { as: shop.admin },
  );
  return (data as unknown as { order: object }).order;
}

const refundedAtProvider = (session: Record<string, unknown>) =>
  [...server.refunds.values()]
    .filter((refund) => refund.payment_intent === session.payment_intent)
    .reduce((sum, refund) => sum + Number(refund.amount), 0);

describe('an attempt whose session was not stored', () => {
  it('is paid by the session that the provider lists under its reference', async () => {
    const { orderId, session } = await buy();
    await forgetSession(orderId);
    pay(session);
    expect(await auditFindings(t.app.services)).toEqual([
      `order:${orderId}: paid at the provider, not recorded here (pi_${session.id})`,
    ]);
    expect(await reconcile()).toEqual([`session order:${orderId}: new, paid`]);
    expect(await stateOf(orderId)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1673 });
    expect(await reconcile()).toEqual([]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('gets the session that is still open, and its page is given out again', async () => {
    const { orderId, session } = await buy();
    await forgetSession(orderId);
    expect(await reconcile()).toEqual([]);
    const [attempt] = await t.db.sql(
      'select state, session_id, url from payment_attempts where subject_id = $1',
      [orderId],
    );
    expect(attempt).toEqual({ state: 'OPEN', session_id: session.id, url: session.url });
  });

  it('waits for a bank transfer', async () => {
    const { orderId, session } = await buy();
    await forgetSession(orderId);
    pay(session, 'unpaid');
    await reconcile();
    pay(session);
    await reconcile();
    expect(await stateOf(orderId)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1673 });
  });

  it('is searched before its order expires, and only then cancelled', async () => {
    const [paid, unpaid] = [await buy(), await buy()];
    pay(paid.session);
    server.sessions.delete(String(unpaid.session.id));
    for (const { orderId } of [paid, unpaid]) {
      await forgetSession(orderId);
      await t.db.write('update orders set expires_at = 1, claimed_until = null where id = $1', [orderId]);
      await t.db.write('update payment_attempts set expires_at = 1 where subject_id = $1', [orderId]);
    }
    server.failWith = 500;
    expect(await expireOrders(t.app.services)).toBe(0);
    server.failWith = undefined;
    await t.db.write('update orders set claimed_until = null where id = any($1::uuid[])', [
      [paid.orderId, unpaid.orderId],
    ]);
    await expireOrders(t.app.services);
    expect(await stateOf(paid.orderId)).toMatchObject({ status: 'PROCESSING', captured: 1673 });
    expect(await stateOf(unpaid.orderId)).toMatchObject({ status: 'CANCELLED', captured: 0 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('that was closed leads to a refund', async () => {
    const { orderId, session } = await buy();
    await forgetSession(orderId, 'CLOSED');
    pay(session);
    expect(await reconcile()).toContain(`session order:${orderId}: closed, paid`);
    await reconcile();
    expect(refundedAtProvider(session)).toBe(1673);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });
});

describe('after a restore', () => {
  it('a lost payment link pays the amount that is due', async () => {
    const { orderId, session } = await buy();
    await t.db.write('delete from payment_attempts where subject_id = $1', [orderId]);
    pay(session);
    expect(await auditFindings(t.app.services)).toEqual([
      `order:${orderId}: paid at the provider, not recorded here (pi_${session.id})`,
    ]);
    expect(await reconcile()).toEqual([`session order:${orderId}: unknown, paid`]);
    expect(await stateOf(orderId)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1673 });
    expect(await reconcile()).toEqual([]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('a lost payment link for another amount is refunded in full', async () => {
    const { orderId, session } = await buy();
    await t.db.write('delete from payment_attempts where subject_id = $1', [orderId]);
    pay(session);
    session.amount_total = 1700;
    await reconcile();
    expect(await stateOf(orderId)).toMatchObject({ currentPaymentStatus: 'PENDING', captured: 0 });
    await reconcile();
    expect(refundedAtProvider(session)).toBe(1700);
  });

  it('a second session of an attempt is refunded as paid twice', async () => {
    const { orderId, session } = await buy();
    pay(session);
    await reconcile();
    const second = { ...session, id: `${session.id}9`, payment_intent: `pi_${session.id}9` };
    server.sessions.set(second.id, second);
    expect(await reconcile()).toEqual([`session order:${orderId}: unknown, paid`]);
    expect(await reconcile()).toEqual([]);
    expect(refundedAtProvider(second)).toBe(1673);
    expect(await stateOf(orderId)).toMatchObject({ captured: 1673, refunded: 0 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('the payment of a lost order is named until it was refunded at the provider', async () => {
    const orderId = crypto.randomUUID();
    const { session } = await buy();
    await t.db.write('delete from payment_attempts where reference = $1', [session.client_reference_id]);
    pay(session);
    Object.assign(session, {
      client_reference_id: `order:${orderId}`,
      metadata: { reference: `order:${orderId}` },
    });
    expect(await reconcile()).toEqual([`session order:${orderId}: unknown, paid`]);
    expect(await reconcile()).toEqual([]);
    const finding = `order:${orderId}: payment of 1673 USD matches nothing here, refund it at the provider (pi_${session.id})`;
    expect(await auditFindings(t.app.services)).toEqual([finding]);
    server.refunds.set('re_desk', {
      id: 're_desk',
      payment_intent: session.payment_intent,
      amount: 1673,
      status: 'succeeded',
    });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('sessions of other systems on the same account are left alone', async () => {
    const { session } = await buy();
    const foreign = {
      ...pay({ ...session }),
      id: 'cs_test_999999',
      client_reference_id: 'cart-7',
      metadata: {},
    };
    server.sessions.set(foreign.id, { ...foreign, payment_intent: 'pi_foreign' });
    server.sessions.set('cs_test_999998', { ...foreign, id: 'cs_test_999998', client_reference_id: null });
    expect(await reconcile()).toEqual([]);
  });

  it('more sessions than a page of the provider are searched', async () => {
    const { orderId, session } = await buy();
    await t.db.write('delete from payment_attempts where subject_id = $1', [orderId]);
    pay(session);
    for (let index = 0; index < 250; index += 1)
      server.sessions.set(`cs_test_8${index}`, {
        ...session,
        id: `cs_test_8${index}`,
        client_reference_id: 'x',
        metadata: {},
      });
    expect(await reconcile()).toEqual([`session order:${orderId}: unknown, paid`]);
  });

  it('a session older than the searched period is found with more days', async () => {
    const { orderId, session } = await buy();
    await t.db.write('delete from payment_attempts where subject_id = $1', [orderId]);
    pay(session);
    session.created = Number(session.created) - 10 * daySeconds;
    expect(await reconcile()).toEqual([]);
    expect(await reconcileUnrecordedSessions(t.app.services, { days: 20 })).toMatchObject({ differences: 1 });
    expect(await stateOf(orderId)).toMatchObject({ captured: 1673 });
  });
});

it('a subscription whose session was not stored is activated by its first invoice', async () => {
  const base = `/v1/businesses/${shop.businessId}/collections`;
  const plan = { id: 'm', name: 'Monthly', price: { amount: 700, currency: 'usd', interval: 'MONTHLY' } };
  const { body } = await t.rest<{ id: string }>('POST', base, {
    as: shop.admin,
    body: { name: 'Letter', type: 'NEWSLETTER', plans: [plan] },
  });
  await t.rest('POST', `${base}/${body.id}/subscribe`, {
    as: await t.guest(),
    body: { email: `${body.id}@mail.example`, planId: 'm' },
  });
  const session = lastSession();
  const reference = String(session.client_reference_id);
  await forgetSession(reference.split(':')[1] ?? '');
  Object.assign(session, { status: 'complete', payment_status: 'paid' });
  createStripeSubscription(server, session, true);
  expect(await reconcile()).toEqual([`session ${reference}: new, paid`]);
  expect(await t.db.sql('select status from subscriptions where collection_id = $1', [body.id])).toEqual([
    { status: 'ACTIVE' },
  ]);
  expect(await auditFindings(t.app.services)).toEqual([]);
});
