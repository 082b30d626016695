/** Refunds: settlement by the provider, failures, retries, restocking and external refunds. */
import { describe, expect, it } from 'vitest';
import { retryRefund } from '../../src/domains/payments/retry-refund.ts';
import { newId } from '../../src/lib/ids.ts';
import { PaymentRejectedError } from '../../src/ports/payments.ts';
import type { Person } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import { addProduct, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  balanceAtProvider,
  buy,
  edit,
  guest,
  other,
  pot,
  refund,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

async function buyAndPay(quantity = 1, sold = pot) {
  const page = await buy(quantity, sold);
  await actOnPage(page, 'pay');
  return page;
}

describe('a refund', () => {
  it('accepts lines, an amount or the rest in `of`', async () => {
    const { orderId } = await buyAndPay(3);
    const lines = [{ line: 0, quantity: 1 }];
    const refundAmountOrErrors = async (input: object) => {
      const response = await refund(orderId, input);
      return response.status === 200 ? response.body.amount : detailErrors(response.body);
    };
    expect([
      await refundAmountOrErrors({ of: { lines: [{ line: 9, quantity: 1 }] } }),
      await refundAmountOrErrors({ of: { sum: { amount: 100_000_000 } } }),
      await refundAmountOrErrors({ of: { sum: { amount: 1 } }, restock: true }),
      await refundAmountOrErrors({ of: { sum: { amount: 0 } } }),
      await refundAmountOrErrors({ of: { rest: true }, amount: 1 }),
      await refundAmountOrErrors({ of: { rest: true, lines } }),
      await refundAmountOrErrors({ of: { rest: false } }),
    ]).toEqual([
      ['of.lines.0.line LINE_NOT_FOUND'],
      ['of.sum.amount REFUND_TOO_LARGE'],
      ['of.sum.lines LINES_REQUIRED'],
      ['of.sum.amount TOO_SMALL'],
      ['of INVALID_VALUE'],
      ['of INVALID_VALUE'],
      ['of.rest INVALID_VALUE'],
    ]);
    const unit = await refundAmountOrErrors({ of: { lines } });
    expect(await refundAmountOrErrors({ of: { sum: { amount: 1, lines } } })).toBe(1);
    const rest = await refundAmountOrErrors({ of: { rest: true } });
    const { refunded, total } = await stateOf(orderId);
    expect([Number(unit) + 1 + Number(rest), refunded]).toEqual([total, total]);
    expect(await refundAmountOrErrors({ of: { rest: true } })).toEqual(['of NOTHING_TO_REFUND']);
  });

  it('is PENDING until the provider has confirmed it', async () => {
    const page = await buyAndPay();
    const { refund: originalRefund, findRefund } = sandbox;
    sandbox.refund = async (request) => ({ ...(await originalRefund(request)), status: 'pending' });
    sandbox.findRefund = async (id) => ({ id, status: 'pending' });
    const { body } = await refund(page.orderId, { amount: 100 });
    await t.app.drainJobs();
    Object.assign(sandbox, { refund: originalRefund, findRefund });
    expect(body).toMatchObject({ status: 'PENDING', amount: 100 });
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 0, currentPaymentStatus: 'PAID' });
    await deliverPaymentEvent(
      t,
      createPaymentEvent(page.orderId, {
        type: 'refund',
        reference: undefined,
        paymentId: `pay_${sessionOf(page)}`,
        amount: 100,
        refund: { id: `re_${body.id}`, key: body.id, status: 'succeeded' },
      }),
    );
    expect(await stateOf(page.orderId)).toMatchObject({
      refunded: 100,
      currentPaymentStatus: 'PARTIALLY_REFUNDED',
    });
  });

  it('that fails later is subtracted and can be retried', async () => {
    const page = await buyAndPay();
    const { body } = await refund(page.orderId, {});
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 1673, currentPaymentStatus: 'REFUNDED' });
    await sandbox.failRefund(sessionOf(page), body.id);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({
      captured: 1673,
      refunded: 0,
      currentPaymentStatus: 'PAID',
      refunds: [{ status: 'FAILED', failure: 'The bank did not take the money.' }],
    });
    expect(await balanceAtProvider(page)).toBe(1673);
    expect(await retryRefund(t.app.services, body.id)).toBe(true);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 1673, currentPaymentStatus: 'REFUNDED' });
    expect(await balanceAtProvider(page)).toBe(0);
    expect(await retryRefund(t.app.services, body.id)).toBe(false);
  });

  const retry = (
    orderId: string,
    refundId: string,
    as: Person | undefined = shop.admin,
    businessId = shop.businessId,
  ) =>
    t.rest<{ status: string }>(
      'POST',
      `/v1/businesses/${businessId}/orders/${orderId}/refunds/${refundId}/retry`,
      {
        as,
        body: {},
      },
    );

  it('that failed is retried once, only by staff', async () => {
    const page = await buyAndPay(2);
    const { body } = await refund(page.orderId, { amount: 500 });
    expect(detailErrors((await retry(page.orderId, body.id)).body)).toEqual(['refundId REFUND_NOT_FAILED']);
    await sandbox.failRefund(sessionOf(page), body.id);
    await t.app.drainJobs();
    const otherOrder = await buy();
    expect((await retry(page.orderId, body.id, guest)).status).toBe(403);
    expect((await retry(page.orderId, body.id, other.admin)).status).toBe(404);
    expect((await retry(page.orderId, body.id, other.admin, other.businessId)).status).toBe(404);
    expect((await retry(otherOrder.orderId, body.id)).status).toBe(404);
    expect((await retry(page.orderId, 'nonsense')).status).toBe(404);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 0 });
    expect((await retry(page.orderId, body.id)).body).toMatchObject({ id: body.id, status: 'SUCCEEDED' });
    expect(detailErrors((await retry(page.orderId, body.id)).body)).toEqual(['refundId REFUND_NOT_FAILED']);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 500 });
  });

  it('that is retried ignores events about the failed attempt', async () => {
    const page = await buyAndPay();
    const { body } = await refund(page.orderId, { amount: 500 });
    const failedEvent = await sandbox.failRefund(sessionOf(page), body.id);
    await t.app.drainJobs();
    expect(await retryRefund(t.app.services, body.id)).toBe(true);
    // The provider makes the refund, but its answer is lost.
    const [{ tries = 0 } = {}] = await t.db.sql<{ tries: number }>(
      'select tries from refunds where id = $1',
      [body.id],
    );
    const payment = { paymentId: `pay_${sessionOf(page)}`, amount: 500, currency: 'USD' };
    await sandbox.refund({ ...payment, key: `${body.id}:${tries}`, since: 0 });
    await deliverPaymentEvent(t, {
      ...createPaymentEvent(page.orderId),
      ...failedEvent,
      id: `evt_${newId()}`,
    });
    expect((await stateOf(page.orderId)).refunds).toMatchObject([{ status: 'PENDING' }]);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 500, refunds: [{ status: 'SUCCEEDED' }] });
    expect(await balanceAtProvider(page)).toBe(1173);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('that failed is not retried when another refund has covered its amount', async () => {
    const page = await buyAndPay();
    const { body } = await refund(page.orderId, { lines: [{ line: 0, quantity: 1 }] });
    await sandbox.failRefund(sessionOf(page), body.id);
    await t.app.drainJobs();
    await refund(page.orderId, {});
    expect(detailErrors((await retry(page.orderId, body.id)).body)).toEqual(['refundId REFUND_TOO_LARGE']);
    expect(await balanceAtProvider(page)).toBe(0);
  });

  it('that restocked units before it failed does not restock them again', async () => {
    const cup = await addProduct(t, shop, { price: 100, stock: 10 });
    const page = await buyAndPay(5, cup);
    const { body } = await refund(page.orderId, { lines: [{ line: 0, quantity: 2 }], restock: true });
    await sandbox.failRefund(sessionOf(page), body.id);
    await t.app.drainJobs();
    expect(await loadStock(t, cup)).toBe(7);
    expect((await retry(page.orderId, body.id)).status).toBe(200);
    expect(await loadStock(t, cup)).toBe(7);
  });

  it('that was rejected returns the same error for the same idempotency key', async () => {
    const page = await buyAndPay();
    const headers = { 'idempotency-key': newId(), 'x-request-id': 'the-same' };
    const { refund: originalRefund } = sandbox;
    sandbox.refund = () => Promise.reject(new PaymentRejectedError('Already disputed.'));
    const first = await refund(page.orderId, { amount: 100 }, headers);
    sandbox.refund = originalRefund;
    const repeated = await refund(page.orderId, { amount: 100 }, headers);
    expect([first.status, detailErrors(first.body)]).toEqual([422, ['amount REFUND_REFUSED']]);
    expect([repeated.status, repeated.body]).toEqual([first.status, first.body]);
    expect(await balanceAtProvider(page)).toBe(1673);
  });

  it('by amount needs lines to restock units', async () => {
    const sold = await addProduct(t, shop, { stock: 10 });
    const page = await buyAndPay(10, sold);
    const rejected = await refund(page.orderId, { amount: 1, restock: true });
    expect([rejected.status, detailErrors(rejected.body)]).toEqual([422, ['lines LINES_REQUIRED']]);
    expect(await loadStock(t, sold)).toBe(0);
    await refund(page.orderId, { amount: 1, restock: true, lines: [{ line: 0, quantity: 2 }] });
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 1 });
    expect(await loadStock(t, sold)).toBe(2);
  });

  it('that is pending blocks changes of the lines and restocks the units it was made for', async () => {
    const [first, second] = [
      await addProduct(t, shop, { stock: 5 }),
      await addProduct(t, shop, { stock: 5 }),
    ];
    const { body: page } = await t.rest<{ orderId: string; checkoutUrl: string }>(
      'POST',
      `${shop.orders}/checkout`,
      {
        as: guest,
        body: {
          market: 'US',
          shippingMethodId: 'standard',
          items: [first, second].map((sold) => ({ ...sold, quantity: 1 })),
        },
      },
    );
    await actOnPage(page, 'pay');
    const { refund: originalRefund } = sandbox;
    sandbox.refund = () => Promise.reject(new Error('unavailable'));
    await refund(page.orderId, { lines: [{ line: 0, quantity: 1 }], restock: true });
    const lines = [second, first].map((sold) => ({ ...sold, quantity: 1 }));
    const rejected = await edit(page.orderId, { lines });
    sandbox.refund = originalRefund;
    expect([rejected.status, detailErrors(rejected.body)]).toEqual([409, ['lines REFUND_PENDING']]);
    // Also when the lines have been reordered.
    await t.db.write('update orders set lines = jsonb_build_array(lines->1, lines->0) where id = $1', [
      page.orderId,
    ]);
    await t.app.drainJobs();
    expect([await loadStock(t, first), await loadStock(t, second)]).toEqual([5, 4]);
  });

  it('made at the provider counts once, in addition to refunds of the gateway', async () => {
    const page = await buyAndPay();
    await refund(page.orderId, { amount: 300 });
    const paymentId = `pay_${sessionOf(page)}`;
    const reportRefunded = (amount: number) =>
      deliverPaymentEvent(t, createPaymentEvent(page.orderId, { type: 'refunded', amount, paymentId }));
    await reportRefunded(300);
    expect((await stateOf(page.orderId)).refunded).toBe(300);
    await sandbox.refund({ paymentId, amount: 200, currency: 'USD', key: 'elsewhere', since: 0 });
    await reportRefunded(500);
    await reportRefunded(300);
    expect((await stateOf(page.orderId)).refunded).toBe(500);
    expect(detailErrors((await refund(page.orderId, { amount: 1174 })).body)).toEqual([
      'amount REFUND_TOO_LARGE',
    ]);
    // The failure is reported before the refund itself.
    await sandbox.failRefund(sessionOf(page), 'elsewhere');
    await t.app.drainJobs();
    await reportRefunded(500);
    expect((await stateOf(page.orderId)).refunded).toBe(300);
  });
});

describe('REST routes of refunds', () => {
  it('list the refunds, newest first, for viewers who may read the order', async () => {
    const page = await buyAndPay();
    await refund(page.orderId, { amount: 1, reason: 'One' });
    await refund(page.orderId, { amount: 2, reason: 'Two' });
    const path = `${shop.orders}/${page.orderId}/refunds`;
    const list = await t.rest<{ items: object[]; cursor: string }>('GET', `${path}?limit=1`, { as: guest });
    expect(list.body).toEqual({
      items: [
        {
          id: expect.any(String),
          amount: 2,
          currency: 'USD',
          status: 'SUCCEEDED',
          reason: 'Two',
          restock: false,
          createdAt: expect.any(Number),
          settledAt: expect.any(Number),
        },
      ],
      cursor: expect.any(String),
    });
    const nextPage = await t.rest<{ items: object[] }>('GET', `${path}?cursor=${list.body.cursor}`, {
      as: shop.admin,
    });
    expect(nextPage.body).toMatchObject({ items: [{ amount: 1, reason: 'One' }], cursor: null });
    for (const as of [other.admin, await t.guest()])
      expect((await t.rest('GET', path, { as })).status).toBe(404);
    expect((await t.rest('POST', path, { as: guest, body: {} })).status).toBe(403);
    expect((await t.rest('GET', path)).status).toBe(401);
  });
});

it('flags an order whose payment is disputed, once', async () => {
  const page = await buyAndPay();
  await actOnPage(page, 'dispute', 'dispute');
  const { data } = await t.graphql(
    'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { disputedAt status } }',
    { b: shop.businessId, id: page.orderId },
    { as: shop.admin },
  );
  expect(data).toEqual({ order: { disputedAt: expect.any(Number), status: 'PROCESSING' } });
});

it('counts a lost dispute as refunded, in addition to earlier refunds', async () => {
  const page = await buyAndPay();
  const { total } = await stateOf(page.orderId);
  expect((await refund(page.orderId, { amount: 100 })).status).toBe(200);
  await actOnPage(page, 'dispute', 'lose', 'lose');
  expect(await stateOf(page.orderId)).toMatchObject({
    status: 'REFUNDED',
    currentPaymentStatus: 'REFUNDED',
    captured: total,
    refunded: total,
    refunds: [{ amount: 100, status: 'SUCCEEDED' }],
  });
  expect(await balanceAtProvider(page)).toBe(0);
  expect(await refund(page.orderId, { amount: 1 })).toMatchObject({ status: 422 });
});
