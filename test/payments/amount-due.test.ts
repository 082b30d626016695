/** Amount due after refunds: credits are never due again, a refunded overpayment is when the order becomes more expensive. */
import { describe, expect, it } from 'vitest';
import { auditFindings } from '../support/consistency-audit.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  buy,
  cancel,
  edit,
  type Page,
  pot,
  refund,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

async function buyAndPay(quantity = 1): Promise<Page> {
  const page = await buy(quantity);
  await actOnPage(page, 'pay');
  return page;
}

const dueOf = async ({ orderId }: Page) => (await stateOf(orderId)).amountDue;

const paymentIdOf = (page: Page) => `pay_${sessionOf(page)}`;

/** A refund in the provider's dashboard, as its cumulative event. */
async function refundInDashboard(page: Page, amount: number): Promise<void> {
  const paymentId = paymentIdOf(page);
  await sandbox.refund({ paymentId, amount, currency: 'USD', key: `dashboard-${amount}`, since: 0 });
  const payment = await sandbox.findPayment(paymentId);
  await deliverPaymentEvent(
    t,
    createPaymentEvent(page.orderId, { type: 'refunded', paymentId, amount: payment?.refunded ?? 0 }),
  );
}

describe('a refund that is a credit', () => {
  it.each([
    ['of an amount', (page: Page) => refund(page.orderId, { amount: 300 })],
    ['of units', (page: Page) => refund(page.orderId, { lines: [{ line: 0, quantity: 1 }], restock: true })],
    ['made in the dashboard of the provider', (page: Page) => refundInDashboard(page, 300)],
  ])('%s is not due again', async (_name, act) => {
    const page = await buyAndPay(2);
    await act(page);
    const { refunded, amountDue } = await stateOf(page.orderId);
    expect([refunded > 0, amountDue]).toEqual([true, 0]);
    expect(detailErrors((await requestPaymentLink(page.orderId, shop.admin)).body)).toEqual([
      'id NOTHING_DUE',
    ]);
  });

  it('of returned units is not due again', async () => {
    const page = await buyAndPay(2);
    await t.rest('POST', `${shop.orders}/${page.orderId}/fulfilments`, { as: shop.admin, body: {} });
    const { body } = await t.rest<{ id: string }>('POST', `${shop.orders}/${page.orderId}/returns`, {
      as: shop.admin,
      body: { lines: [{ line: 0, quantity: 1 }] },
    });
    await t.rest('POST', `${shop.orders}/${page.orderId}/returns/${body.id}/accept`, {
      as: shop.admin,
      body: {},
    });
    expect(await stateOf(page.orderId)).toMatchObject({ amountDue: 0, refunds: [{ status: 'SUCCEEDED' }] });
  });

  it('leaves what the order owes besides, and an open payment page for it', async () => {
    const page = await buyAndPay();
    await edit(page.orderId, { shipping: 1090 });
    const link = (await requestPaymentLink(page.orderId)).body;
    await refund(page.orderId, { amount: 300 });
    expect(await dueOf(page)).toBe(500);
    await actOnPage(link, 'pay');
    expect(await stateOf(page.orderId)).toMatchObject({ captured: 2173, refunded: 300, amountDue: 0 });
  });

  it('that fails later is no credit any more', async () => {
    const page = await buyAndPay();
    await edit(page.orderId, { shipping: 1090 });
    const { body } = await refund(page.orderId, { amount: 300 });
    await sandbox.failRefund(sessionOf(page), body.id);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 0, amountDue: 500 });
  });

  it('that was made in the dashboard and fails is subtracted once, however many events report it', async () => {
    const page = await buyAndPay();
    await refundInDashboard(page, 300);
    await refundInDashboard(page, 500);
    await sandbox.failRefund(sessionOf(page), 'dashboard-300');
    await t.app.drainJobs();
    const failure = { id: 're_dashboard-300', key: 'dashboard-300', status: 'failed' as const };
    const event = { type: 'refund' as const, paymentId: paymentIdOf(page), amount: 300, refund: failure };
    for (let repeated = 0; repeated < 2; repeated += 1)
      await deliverPaymentEvent(t, createPaymentEvent(page.orderId, event));
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 500, amountDue: 0 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('of units of an overpaid order leaves the overpayment to be refunded', async () => {
    const page = await buyAndPay(2);
    await edit(page.orderId, { shipping: 0 });
    await refund(page.orderId, { lines: [{ line: 0, quantity: 1 }] });
    expect(await dueOf(page)).toBe(-590);
    await refund(page.orderId, { amount: 590 });
    expect(await dueOf(page)).toBe(0);
  });
});

describe('a refund of an overpayment', () => {
  it.each([
    ['through the gateway', (page: Page) => refund(page.orderId, { amount: 590 })],
    ['in the dashboard of the provider', (page: Page) => refundInDashboard(page, 590)],
  ])('%s evens the order, and is due when the order becomes more expensive', async (_name, act) => {
    const page = await buyAndPay();
    await edit(page.orderId, { shipping: 0 });
    expect(await dueOf(page)).toBe(-590);
    await act(page);
    expect(await dueOf(page)).toBe(0);
    await edit(page.orderId, { shipping: 590 });
    expect(await dueOf(page)).toBe(590);
    await actOnPage((await requestPaymentLink(page.orderId)).body, 'pay');
    expect(await stateOf(page.orderId)).toMatchObject({ captured: 2263, refunded: 590, amountDue: 0 });
  });

  it('and of goodwill in one amount is a credit only above the overpayment', async () => {
    const page = await buyAndPay();
    await edit(page.orderId, { shipping: 0 });
    await refund(page.orderId, { amount: 690 });
    expect(await dueOf(page)).toBe(0);
    await edit(page.orderId, { shipping: 590 });
    expect(await dueOf(page)).toBe(590);
  });

  it('counts pending refunds, and is split over several payments', async () => {
    const page = await buyAndPay();
    await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] });
    await actOnPage((await requestPaymentLink(page.orderId)).body, 'pay');
    // Two pots with tax and shipping cost 2755.
    await edit(page.orderId, { shipping: 0, tax: 0 });
    expect(await dueOf(page)).toBe(-755);
    const { refund: originalRefund } = sandbox;
    sandbox.refund = () => Promise.reject(new Error('unavailable'));
    await refund(page.orderId, { amount: 600 });
    // 155 return the rest of the overpayment, 500 are a credit; 482 of the newer payment remain.
    await refund(page.orderId, { amount: 655 });
    sandbox.refund = originalRefund;
    expect(await dueOf(page)).toBe(-755);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 1255, amountDue: 0 });
    await edit(page.orderId, { shipping: 590, tax: 83 });
    expect(await dueOf(page)).toBe(673);
  });

  it('of an order that became free does not end the order', async () => {
    const page = await buyAndPay();
    await edit(page.orderId, { shipping: 0, tax: 0, discount: 1000 });
    expect(await dueOf(page)).toBe(-1673);
    await refund(page.orderId, {});
    const free = { status: 'PROCESSING', currentPaymentStatus: 'REFUNDED', refunded: 1673, amountDue: 0 };
    expect(await stateOf(page.orderId)).toMatchObject(free);
    await edit(page.orderId, { discount: 0 });
    expect(await stateOf(page.orderId)).toMatchObject({ total: 1083, amountDue: 1083 });
    await actOnPage((await requestPaymentLink(page.orderId)).body, 'pay');
    const paid = { status: 'PROCESSING', currentPaymentStatus: 'PARTIALLY_REFUNDED', amountDue: 0 };
    expect(await stateOf(page.orderId)).toMatchObject({ ...paid, captured: 2756, refunded: 1673 });
  });

  it('is due to the customer of a cancelled order until it was refunded', async () => {
    const page = await buyAndPay();
    await edit(page.orderId, { shipping: 0 });
    await cancel(page.orderId, { refund: false });
    expect(await dueOf(page)).toBe(-590);
    await refund(page.orderId, {});
    expect(await dueOf(page)).toBe(0);
  });
});
