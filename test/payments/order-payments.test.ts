/** Payments of orders: edited orders, payment links, expiry and cancellation. */
import { describe, expect, it } from 'vitest';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { PaymentRejectedError } from '../../src/ports/payments.ts';
import { replaceCreateSession } from '../support/fake-payments.ts';
import { addProduct, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  backdateOrderExpiry,
  balanceAtProvider,
  buy,
  cancel,
  edit,
  guest,
  other,
  pot,
  refund,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

describe('an order that is edited while its payment page is open', () => {
  it('closes the page, opens a new one with the new total, and refunds a payment on the old page', async () => {
    const page = await buy();
    // Paid at the sandbox; the event is not delivered yet.
    await sandbox.applyAction(sessionOf(page), 'pay');
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 10 }] })).status).toBe(200);
    await t.app.drainJobs();
    const due = 10_000 + 825 + 590;
    expect(await stateOf(page.orderId)).toMatchObject({
      status: 'PENDING',
      currentPaymentStatus: 'PENDING',
      captured: 0,
      amountDue: due,
      refunds: [{ amount: 1673, status: 'SUCCEEDED', reason: 'Paid too late' }],
    });
    expect(await balanceAtProvider(page)).toBe(0);
    const link = (await requestPaymentLink(page.orderId)).body;
    expect(link).toEqual({
      orderId: page.orderId,
      checkoutUrl: expect.stringMatching(/^http:\/\/pay\.test\/sandbox\/pay\//),
    });
    expect(link.checkoutUrl).not.toBe(page.checkoutUrl);
    expect((await requestPaymentLink(page.orderId, shop.admin)).body).toEqual(link);
    await actOnPage(link, 'pay');
    expect(await stateOf(page.orderId)).toMatchObject({ status: 'PROCESSING', captured: due, amountDue: 0 });
    expect(await balanceAtProvider(link)).toBe(due);
  });

  it('keeps the page when the amount due is unchanged', async () => {
    const page = await buy();
    await edit(page.orderId, { blocks: [{ key: 'note', value: ['ring twice'] }] });
    await t.app.drainJobs();
    expect((await requestPaymentLink(page.orderId)).body).toEqual(page);
    await actOnPage(page, 'pay');
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1673 });
  });

  it('collects the difference and refunds over both payments', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] });
    expect(await stateOf(page.orderId)).toMatchObject({ captured: 1673, amountDue: 1000 + 82 });
    const link = (await requestPaymentLink(page.orderId)).body;
    await actOnPage(link, 'pay');
    expect(await stateOf(page.orderId)).toMatchObject({
      captured: 2755,
      amountDue: 0,
      currentPaymentStatus: 'PAID',
    });
    expect(detailErrors((await requestPaymentLink(page.orderId)).body)).toEqual(['id NOTHING_DUE']);
    expect(await refund(page.orderId, { amount: 1500 })).toMatchObject({
      status: 200,
      body: { amount: 1082 },
    });
    expect(await stateOf(page.orderId)).toMatchObject({
      refunded: 1500,
      refunds: [{ amount: 1082 }, { amount: 418 }],
    });
    expect([await balanceAtProvider(page), await balanceAtProvider(link)]).toEqual([1255, 0]);
  });
});

describe('payment links', () => {
  it('are available to staff and the customer of an open order', async () => {
    const page = await buy();
    expect((await requestPaymentLink(page.orderId, other.admin)).status).toBe(404);
    expect((await requestPaymentLink(page.orderId, await t.guest())).status).toBe(404);
    expect(
      (await requestPaymentLink(page.orderId, await t.addMember(shop, await t.person(), 'EDITOR'))).status,
    ).toBe(404);
    expect((await requestPaymentLink(newId())).status).toBe(404);
    expect(
      detailErrors(
        (await requestPaymentLink(page.orderId, guest, { returnUrl: 'https://evil.example' })).body,
      ),
    ).toEqual(['returnUrl INVALID_RETURN_URL']);
    await cancel(page.orderId);
    expect(detailErrors((await requestPaymentLink(page.orderId)).body)).toEqual(['id NOTHING_DUE']);
  });

  it('work for orders created by staff', async () => {
    const { body } = await t.rest<{ id: string; amountDue: number }>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
    });
    expect(body.amountDue).toBe(1000);
    const link = (await requestPaymentLink(body.id, shop.admin)).body;
    await actOnPage(link, 'pay');
    expect(await stateOf(body.id)).toMatchObject({ status: 'PROCESSING', captured: 1000, amountDue: 0 });
  });

  it('are idempotent per key, and reject what the provider rejects', async () => {
    const page = await buy();
    await edit(page.orderId, { shipping: 0 });
    const createLink = (headers: Record<string, string>) =>
      t.rest('POST', `${shop.orders}/${page.orderId}/payment-link`, { as: guest, body: {}, headers });
    const headers = { 'idempotency-key': newId() };
    const { createSession } = sandbox;
    sandbox.createSession = () =>
      Promise.reject(new PaymentRejectedError('Amount must be at least 50 cents.'));
    const rejected = await createLink(headers);
    sandbox.createSession = createSession;
    expect([rejected.status, detailErrors(rejected.body)]).toEqual([422, ['paymentMethod PAYMENT_REFUSED']]);
    const first = await createLink(headers);
    expect(first.status).toBe(200);
    expect((await createLink(headers)).body).toEqual(first.body);
  });
});

describe('order expiry', () => {
  it('queries the provider first and records a payment', async () => {
    const page = await buy();
    await sandbox.applyAction(sessionOf(page), 'pay');
    await backdateOrderExpiry(page.orderId);
    await expireOrders(t.app.services);
    expect(await stateOf(page.orderId)).toMatchObject({ status: 'PROCESSING', captured: 1673, refunds: [] });
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ captured: 1673, refunds: [] });
  });

  it('skips an order while the provider does not answer, and continues with the others', async () => {
    const [unanswered, unpaid] = [await buy(), await buy()];
    await Promise.all([backdateOrderExpiry(unanswered.orderId), backdateOrderExpiry(unpaid.orderId)]);
    const { findSession } = sandbox;
    sandbox.findSession = (id) =>
      id === sessionOf(unanswered) ? Promise.reject(new Error('unavailable')) : findSession(id);
    await expireOrders(t.app.services);
    sandbox.findSession = findSession;
    expect((await stateOf(unanswered.orderId)).status).toBe('PENDING');
    expect((await stateOf(unpaid.orderId)).status).toBe('CANCELLED');
    await backdateOrderExpiry(unanswered.orderId);
    await expireOrders(t.app.services);
    expect((await stateOf(unanswered.orderId)).status).toBe('CANCELLED');
  });

  it('continues after an order that fails, and does not retry it immediately', async () => {
    const [broken, unpaid] = [await buy(), await buy()];
    const [original] = await t.db.sql<{ lines: unknown }>('select lines from orders where id = $1', [
      broken.orderId,
    ]);
    await t.db.write(`update orders set lines = '[null]' where id = $1`, [broken.orderId]);
    await backdateOrderExpiry(broken.orderId);
    await backdateOrderExpiry(unpaid.orderId);
    expect(await expireOrders(t.app.services)).toBe(1);
    expect((await stateOf(unpaid.orderId)).status).toBe('CANCELLED');
    const claims = await t.db.sql<{ isClaimed: boolean }>(
      'select claimed_until > $2 as "isClaimed" from orders where id = $1',
      [broken.orderId, now()],
    );
    expect(claims).toEqual([{ isClaimed: true }]);
    expect(await expireOrders(t.app.services)).toBe(0);
    await t.db.write('update orders set lines = $2::jsonb where id = $1', [
      broken.orderId,
      JSON.stringify(original?.lines),
    ]);
    await backdateOrderExpiry(broken.orderId);
    expect(await expireOrders(t.app.services)).toBe(1);
    expect((await stateOf(broken.orderId)).status).toBe('CANCELLED');
  });

  it('waits for a bank transfer, reported by event or found by query', async () => {
    const [reported, queried] = [await buy(), await buy()];
    await actOnPage(reported, 'transfer');
    await sandbox.applyAction(sessionOf(queried), 'transfer');
    await backdateOrderExpiry(queried.orderId);
    await expireOrders(t.app.services);
    for (const page of [reported, queried]) {
      const [order] = await t.db.sql<{ remaining: number }>(
        `select expires_at - extract(epoch from now())::bigint as remaining from orders where id = $1`,
        [page.orderId],
      );
      expect(order?.remaining).toBeGreaterThan(13 * 86_400);
      await actOnPage(page, 'settle');
      expect(await stateOf(page.orderId)).toMatchObject({ status: 'PROCESSING', captured: 1673 });
    }
  });

  it('allows another payment after a failed transfer, and cancels after two weeks', async () => {
    const failed = await buy();
    await actOnPage(failed, 'transfer', 'fail');
    expect(await stateOf(failed.orderId)).toMatchObject({
      status: 'PENDING',
      currentPaymentStatus: 'FAILED',
    });
    const link = (await requestPaymentLink(failed.orderId)).body;
    await actOnPage(link, 'pay');
    expect(await stateOf(failed.orderId)).toMatchObject({ status: 'PROCESSING', captured: 1673 });
    const stuck = await buy();
    await actOnPage(stuck, 'transfer');
    await backdateOrderExpiry(stuck.orderId);
    await expireOrders(t.app.services);
    expect((await stateOf(stuck.orderId)).status).toBe('CANCELLED');
    await actOnPage(stuck, 'settle');
    expect(await stateOf(stuck.orderId)).toMatchObject({ captured: 1673, refunded: 1673 });
    expect(await balanceAtProvider(stuck)).toBe(0);
  });
});

describe('cancellation of a paid order', () => {
  it('refunds the remaining amount', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    await refund(page.orderId, { amount: 100 });
    expect((await cancel(page.orderId)).status).toBe(200);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({
      status: 'CANCELLED',
      currentPaymentStatus: 'REFUNDED',
      captured: 1673,
      refunded: 1673,
      amountDue: 0,
      refunds: [{ amount: 100 }, { amount: 1573, reason: 'Order cancelled' }],
    });
    expect(await balanceAtProvider(page)).toBe(0);
  });

  it('keeps the payment with refund: false, over REST and GraphQL', async () => {
    const [rest, graphql] = [await buy(), await buy()];
    for (const page of [rest, graphql]) await actOnPage(page, 'pay');
    await cancel(rest.orderId, { refund: false });
    await t.graphql(
      `mutation ($b: ID!, $id: ID!) { setOrderStatus(businessId: $b, id: $id, input: { status: CANCELLED }, refund: false) { order { id } } }`,
      { b: shop.businessId, id: graphql.orderId },
      { as: shop.admin },
    );
    await t.app.drainJobs();
    for (const page of [rest, graphql]) {
      expect(await stateOf(page.orderId)).toMatchObject({ status: 'CANCELLED', refunded: 0, refunds: [] });
      expect(await balanceAtProvider(page)).toBe(1673);
    }
  });
});

it.each(['by its status', 'by an update'])(
  'closes the payment page of an order that staff mark as paid, %s',
  async (method) => {
    const page = await buy();
    const status = { status: 'PAID' };
    const recorded = method.includes('update')
      ? await edit(page.orderId, { paymentStatus: [status] })
      : await t.rest('PUT', `${shop.orders}/${page.orderId}/payment-status`, {
          as: shop.admin,
          body: status,
        });
    expect(recorded.status).toBe(200);
    await t.app.drainJobs();
    expect((await sandbox.findSession(sessionOf(page)))?.state).toBe('expired');
    await actOnPage(page, 'pay');
    expect(await stateOf(page.orderId)).toMatchObject({
      currentPaymentStatus: 'PAID',
      captured: 0,
      amountDue: 0,
      refunds: [],
    });
  },
);

it('creates no order when the provider rejects the payment permanently', async () => {
  const sold = await addProduct(t, shop, { stock: 3 });
  const restore = replaceCreateSession(sandbox, () =>
    Promise.reject(new PaymentRejectedError('Amount must be at least 50 cents.')),
  );
  const before = await t.db.sql('select id from orders');
  const checkOut = () =>
    t.rest('POST', `${shop.orders}/checkout`, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity: 1 }] },
      headers: { 'idempotency-key': 'refused once' },
    });
  const rejected = await checkOut();
  restore();
  expect([rejected.status, detailErrors(rejected.body)]).toEqual([422, ['paymentMethod PAYMENT_REFUSED']]);
  expect(await t.db.sql('select id from orders')).toHaveLength(before.length);
  expect(await loadStock(t, sold)).toBe(3);
  expect((await checkOut()).status).toBe(200);
});
