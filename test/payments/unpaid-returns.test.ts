/** Units that were returned without a refund, and orders that were shipped unpaid. */
import { expect, it } from 'vitest';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, loadStock } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  buy,
  edit,
  guest,
  type Page,
  refund,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

const unit = { lines: [{ line: 0, quantity: 1 }] };

const ship = (orderId: string) =>
  t.rest('POST', `${shop.orders}/${orderId}/fulfilments`, { as: shop.admin, body: {} });

async function acceptReturn({ orderId }: Page, input: object): Promise<{ refundIds: string[] }> {
  const { body } = await t.rest<{ id: string }>('POST', `${shop.orders}/${orderId}/returns`, {
    as: guest,
    body: unit,
  });
  const accepted = await t.rest<{ refundIds: string[] }>(
    'POST',
    `${shop.orders}/${orderId}/returns/${body.id}/accept`,
    { as: shop.admin, body: input },
  );
  expect(accepted.status).toBe(200);
  return accepted.body;
}

async function returnableUnits({ orderId }: Page): Promise<number | undefined> {
  const { body } = await t.rest<{ lines: { returnableQuantity: number }[] }>(
    'GET',
    `${shop.orders}/${orderId}`,
    { as: shop.admin },
  );
  return body.lines[0]?.returnableQuantity;
}

it('a unit that was returned without a refund and is refunded later leaves the other unit returnable', async () => {
  const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
  const page = await buy(2, sold);
  await actOnPage(page, 'pay');
  await ship(page.orderId);
  await acceptReturn(page, { refund: 0 });
  expect([await returnableUnits(page), await loadStock(t, sold)]).toEqual([1, 9]);
  expect((await refund(page.orderId, { ...unit, restock: true })).status).toBe(200);
  // The return has restocked the unit already.
  expect([await returnableUnits(page), await loadStock(t, sold)]).toEqual([1, 9]);
  await acceptReturn(page, {});
  expect([await returnableUnits(page), await loadStock(t, sold)]).toEqual([0, 10]);
  expect((await stateOf(page.orderId)).refunds.map(({ status }) => status)).toEqual([
    'SUCCEEDED',
    'SUCCEEDED',
  ]);
});

it('a returned unit whose refund fails later leaves the other unit returnable', async () => {
  const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
  const page = await buy(2, sold);
  await actOnPage(page, 'pay');
  await ship(page.orderId);
  const { refundIds } = await acceptReturn(page, {});
  await sandbox.failRefund(sessionOf(page), refundIds[0] ?? '');
  await t.app.drainJobs();
  expect([await returnableUnits(page), await loadStock(t, sold)]).toEqual([1, 9]);
  await acceptReturn(page, {});
  expect([await returnableUnits(page), await loadStock(t, sold)]).toEqual([0, 10]);
});

it('units that are returned before they were paid are not due any more', async () => {
  const sold = await addProduct(t, shop, { price: 999, stock: 10 });
  const page = await buy(3, sold);
  await ship(page.orderId);
  const { total } = await stateOf(page.orderId);
  // Three units at 999 with 8.25 % tax, and 590 for shipping; the page of the full amount is closed.
  expect(total).toBe(2997 + 247 + 590);
  await acceptReturn(page, { refund: 0 });
  expect((await stateOf(page.orderId)).amountDue).toBe(total - 1081);
  await acceptReturn(page, { refund: 0 });
  await t.app.drainJobs();
  expect((await sandbox.findSession(sessionOf(page)))?.state).toBe('expired');
  const { amountDue } = await stateOf(page.orderId);
  await actOnPage((await requestPaymentLink(page.orderId)).body, 'pay');
  expect(await stateOf(page.orderId)).toMatchObject({ captured: amountDue, amountDue: 0 });
  // Paid now: a return without a refund changes nothing, and each price was credited once.
  await acceptReturn(page, { refund: 0 });
  expect([amountDue, (await stateOf(page.orderId)).amountDue]).toEqual([590 + 1082, 0]);
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it('a return credits what its refund does not cover, as far as it was not paid', async () => {
  const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
  const page = await buy(1, sold);
  await actOnPage(page, 'pay');
  await edit(page.orderId, { lines: [{ ...sold, quantity: 2 }] });
  await ship(page.orderId);
  expect((await stateOf(page.orderId)).amountDue).toBe(1082);
  await acceptReturn(page, { refund: 100 });
  expect(await stateOf(page.orderId)).toMatchObject({ refunded: 100, amountDue: 100 });
});

it('an order that was shipped unpaid can be paid by its customer after a day', async () => {
  const page = await buy();
  await ship(page.orderId);
  await t.db.write(
    'update orders set created_at = created_at - 200000, expires_at = expires_at - 200000 where id = $1',
    [page.orderId],
  );
  await t.db.write('update payment_attempts set expires_at = expires_at - 200000 where subject_id = $1', [
    page.orderId,
  ]);
  const link = await requestPaymentLink(page.orderId);
  expect(link.status).toBe(200);
  await actOnPage(link.body, 'pay');
  expect(await stateOf(page.orderId)).toMatchObject({
    status: 'SHIPPED',
    currentPaymentStatus: 'PAID',
    captured: 1673,
    amountDue: 0,
  });
});
