/** Currency of an order: fixed while a payment is open or captured; payments in another currency never count. */
import { describe, expect, it } from 'vitest';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  balanceAtProvider,
  buy,
  cancel,
  edit,
  pot,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

/** A manual order of 1000 in a market that is not configured. */
const createYenOrder = async () =>
  (
    await t.rest<{ id: string }>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'JP', currency: 'JPY', lines: [{ ...pot, quantity: 1, unitPrice: 1000 }] },
    })
  ).body.id;

const currencyOf = async (id: string) =>
  (await t.rest<{ currency: string }>('GET', `${shop.orders}/${id}`, { as: shop.admin })).body.currency;

const rejection = async (id: string, change: object) => {
  const { status, body } = await edit(id, change);
  return [status, ...detailErrors(body)];
};

describe('the currency of an order', () => {
  it('can change before a payment page is opened', async () => {
    const id = await createYenOrder();
    expect((await edit(id, { currency: 'EUR' })).status).toBe(200);
    expect(await currencyOf(id)).toBe('EUR');
  });

  it('cannot change while a payment page is open or a transfer is in transit', async () => {
    const id = await createYenOrder();
    const page = (await requestPaymentLink(id, shop.admin)).body;
    expect(await rejection(id, { currency: 'USD' })).toEqual([422, 'currency ORDER_NOT_EDITABLE']);
    expect(await rejection(id, { market: 'US' })).toEqual([422, 'market ORDER_NOT_EDITABLE']);
    await actOnPage(page, 'transfer');
    expect(await rejection(id, { currency: 'USD' })).toEqual([422, 'currency ORDER_NOT_EDITABLE']);
    expect(await currencyOf(id)).toBe('JPY');
    await actOnPage(page, 'settle');
    expect(await stateOf(id)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1000 });
    expect(await rejection(id, { currency: 'USD' })).toEqual([422, 'currency ORDER_NOT_EDITABLE']);
  });

  it('cannot change after staff recorded a payment', async () => {
    const id = await createYenOrder();
    await edit(id, { paymentStatus: [{ status: 'PAID' }] });
    expect(await rejection(id, { currency: 'USD' })).toEqual([422, 'currency ORDER_NOT_EDITABLE']);
  });

  it('of an order from checkout cannot change', async () => {
    const { orderId } = await buy();
    expect(await rejection(orderId, { market: 'EU' })).toEqual([422, 'market ORDER_NOT_EDITABLE']);
  });
});

describe('a payment in another currency than that of the order', () => {
  it('is refunded and does not count when the order has changed its currency since', async () => {
    const id = await createYenOrder();
    const page = (await requestPaymentLink(id, shop.admin)).body;
    // Paid at the sandbox; the event is delivered after the edits.
    await sandbox.applyAction(sessionOf(page), 'pay');
    await edit(id, { shipping: 10 });
    expect((await edit(id, { currency: 'USD' })).status).toBe(200);
    await cancel(id);
    await t.app.drainJobs();
    expect(await stateOf(id)).toMatchObject({
      captured: 0,
      refunded: 0,
      refunds: [{ amount: 1000, status: 'SUCCEEDED' }],
    });
    expect(await balanceAtProvider(page)).toBe(0);
  });

  it('is refunded and does not count even on an open page', async () => {
    const id = await createYenOrder();
    const page = (await requestPaymentLink(id, shop.admin)).body;
    await t.db.write(`update orders set currency = 'USD' where id = $1`, [id]);
    await actOnPage(page, 'pay');
    expect(await stateOf(id)).toMatchObject({
      currentPaymentStatus: 'PENDING',
      captured: 0,
      amountDue: 1000,
      refunds: [{ amount: 1000, status: 'SUCCEEDED', reason: 'Wrong currency' }],
    });
    expect(await balanceAtProvider(page)).toBe(0);
  });
});
