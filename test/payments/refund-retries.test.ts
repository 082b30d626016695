/** Retries of failed refunds, by staff and by the operator: the same rule under the lock of the order. */
import { describe, expect, it } from 'vitest';
import { retryFailedWork } from '../../src/maintenance/failed-work.ts';
import { PaymentRejectedError } from '../../src/ports/payments.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  balanceAtProvider,
  buy,
  cancel,
  edit,
  guest,
  type Page,
  pot,
  refund,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

async function buyAndPay(quantity: number, sold = pot) {
  const page = await buy(quantity, sold);
  await actOnPage(page, 'pay');
  return page;
}

const retry = (orderId: string, refundId: string) =>
  t.rest<{ status: string }>('POST', `${shop.orders}/${orderId}/refunds/${refundId}/retry`, {
    as: shop.admin,
    body: {},
  });

/** Errors of the operator's retry, or whether it found the refund. */
const retryAsOperator = (refundId: string) =>
  retryFailedWork(t.app.services, 'refund', refundId).catch((error) => detailErrors(error));

/** A refund that succeeds, and is rejected by the bank later. */
async function failedRefund(page: { orderId: string; checkoutUrl: string }, input: object): Promise<string> {
  const { body } = await refund(page.orderId, input);
  await sandbox.failRefund(sessionOf(page), body.id);
  await t.app.drainJobs();
  return body.id;
}

const unit = { lines: [{ line: 0, quantity: 1 }] };

describe('the retry of an operator', () => {
  it('does not refund units that were refunded since', async () => {
    const page = await buyAndPay(1);
    const id = await failedRefund(page, { ...unit, amount: 100 });
    await refund(page.orderId, { ...unit, amount: 100 });
    expect(detailErrors((await retry(page.orderId, id)).body)).toEqual(['refundId REFUND_TOO_LARGE']);
    expect(await retryAsOperator(id)).toEqual(['refundId REFUND_TOO_LARGE']);
    await t.app.drainJobs();
    expect(await balanceAtProvider(page)).toBe(1573);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 100 });
  });

  it('does not refund an amount that was refunded since, or is being refunded', async () => {
    const page = await buyAndPay(1);
    const id = await failedRefund(page, { amount: 1000 });
    const { refund: originalRefund } = sandbox;
    sandbox.refund = () => Promise.reject(new Error('unavailable'));
    await refund(page.orderId, { amount: 1000 });
    expect(await retryAsOperator(id)).toEqual(['refundId REFUND_TOO_LARGE']);
    sandbox.refund = originalRefund;
    await t.app.drainJobs();
    expect(await retryAsOperator(id)).toEqual(['refundId REFUND_TOO_LARGE']);
    await t.app.drainJobs();
    expect(await balanceAtProvider(page)).toBe(673);
  });

  it('and one of staff at the same time lead to one refund', async () => {
    const page = await buyAndPay(1);
    const id = await failedRefund(page, { amount: 700 });
    await Promise.all([retryAsOperator(id), retry(page.orderId, id)]);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 700 });
    expect(await balanceAtProvider(page)).toBe(973);
    expect(await retryAsOperator(id)).toBe(false);
  });

  it('refunds an unexpected payment, which the audit reports until then', async () => {
    const page = await buy(1);
    await sandbox.applyAction(sessionOf(page), 'pay');
    await edit(page.orderId, { shipping: 0 });
    await t.app.drainJobs();
    const id = (await stateOf(page.orderId)).refunds[0]?.id ?? '';
    await sandbox.failRefund(sessionOf(page), id);
    await t.app.drainJobs();
    expect(await auditFindings(t.app.services)).toEqual([
      expect.stringContaining('refunds of 0 do not cover the unmatched payment of 1673'),
    ]);
    expect(await retryAsOperator(id)).toBe(true);
    await t.app.drainJobs();
    expect(await balanceAtProvider(page)).toBe(0);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('refunds the payment of a deleted order', async () => {
    const page = await buyAndPay(1);
    const id = await failedRefund(page, {});
    await t.db.write('delete from orders where id = $1', [page.orderId]);
    expect(await retryAsOperator(id)).toBe(true);
    await t.app.drainJobs();
    expect(await balanceAtProvider(page)).toBe(0);
  });
});

describe('a refund of units', () => {
  it('that failed is not retried after staff removed the units: their price was overpaid', async () => {
    const cup = await addProduct(t, shop, { price: 500 });
    const { body: page } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
      as: guest,
      body: {
        market: 'US',
        shippingMethodId: 'standard',
        items: [pot, cup].map((sold) => ({ ...sold, quantity: 1 })),
      },
    });
    await actOnPage(page, 'pay');
    const id = await failedRefund(page, { lines: [{ line: 1, quantity: 1 }] });
    await edit(page.orderId, { lines: [{ ...pot, quantity: 1 }] });
    expect(detailErrors((await retry(page.orderId, id)).body)).toEqual(['refundId REFUND_TOO_LARGE']);
    expect(await retryAsOperator(id)).toEqual(['refundId REFUND_TOO_LARGE']);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 0, amountDue: -541 });
    await refund(page.orderId, { amount: 541 });
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 541, amountDue: 0 });
  });

  it('that fails after the order was cancelled can be retried', async () => {
    const page = await buyAndPay(2);
    const { refund: originalRefund } = sandbox;
    sandbox.refund = () => Promise.reject(new Error('unavailable'));
    const { body } = await refund(page.orderId, unit);
    expect((await cancel(page.orderId)).status).toBe(200);
    sandbox.refund = (request) =>
      request.key === body.id
        ? Promise.reject(new PaymentRejectedError('The bank is closed.'))
        : originalRefund(request);
    await t.app.drainJobs();
    sandbox.refund = originalRefund;
    expect((await stateOf(page.orderId)).refunds.map(({ status }) => status)).toEqual([
      'FAILED',
      'SUCCEEDED',
    ]);
    expect((await retry(page.orderId, body.id)).status).toBe(200);
    expect(await balanceAtProvider(page)).toBe(0);
    expect(await stateOf(page.orderId)).toMatchObject({
      currentPaymentStatus: 'REFUNDED',
      captured: 2755,
      refunded: 2755,
    });
  });

  it('that fails after its units were restocked does not ship or restock them again', async () => {
    const cup = await addProduct(t, shop, { price: 100, stock: 10 });
    const page = await buyAndPay(3, cup);
    const id = await failedRefund(page, { ...unit, restock: true });
    expect(await loadStock(t, cup)).toBe(8);
    expect(detailErrors((await refund(page.orderId, { lines: [{ line: 0, quantity: 3 }] })).body)).toEqual([
      'lines.0.quantity TOO_BIG',
    ]);
    const { body } = await t.rest<{ lines: object[] }>('POST', `${shop.orders}/${page.orderId}/fulfilments`, {
      as: shop.admin,
      body: {},
    });
    expect(body.lines).toEqual([{ line: 0, quantity: 2 }]);
    expect(await stateOf(page.orderId)).toMatchObject({ status: 'SHIPPED', refunded: 0 });
    expect((await retry(page.orderId, id)).status).toBe(200);
    expect((await stateOf(page.orderId)).refunded).toBeGreaterThan(0);
    expect(await loadStock(t, cup)).toBe(8);
  });
});
