/** Orders without an amount to pay: free checkouts, and unpaid orders that staff make free. */
import { expect, it } from 'vitest';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { newId } from '../../src/lib/ids.ts';
import { addProduct, loadStock } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  backdateOrderExpiry,
  balanceAtProvider,
  buy,
  edit,
  guest,
  type Page,
  pot,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

it.each(['FREE', undefined])(
  'a free order (method %s) owes the goods that staff add',
  async (paymentMethod) => {
    const gift = await addProduct(t, shop, { price: 0, stock: 10 });
    await t.db.prisma.shippingMethod.createMany({
      data: [
        {
          businessId: shop.businessId,
          id: 'free',
          name: 'Free',
          prices: [{ marketId: 'US', price: 0 }],
          createdAt: 1,
          updatedAt: 1,
        },
      ],
      skipDuplicates: true,
    });
    const { body } = await t.rest<{ orderId: string; status: string }>('POST', `${shop.orders}/checkout`, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'free', items: [{ ...gift, quantity: 1 }], paymentMethod },
    });
    expect(body.status).toBe('COMPLETED');
    const { orderId } = body;
    expect(await stateOf(orderId)).toMatchObject({ currentPaymentStatus: 'PAID', amountDue: 0 });
    expect(
      (
        await edit(orderId, {
          lines: [
            { ...gift, quantity: 1 },
            { ...pot, quantity: 1 },
          ],
        })
      ).status,
    ).toBe(200);
    const { total, amountDue } = await stateOf(orderId);
    expect([amountDue, total >= 1000]).toEqual([total, true]);
    const link = (await requestPaymentLink(orderId, shop.admin)).body;
    await actOnPage(link, 'pay');
    expect(await stateOf(orderId)).toMatchObject({ captured: total, amountDue: 0 });
  },
);

const makeFree = { shipping: 0, tax: 0, discount: 1000 };

it('an unpaid order that staff make free counts as paid, is not cancelled, and its page is closed', async () => {
  const sold = await addProduct(t, shop, { price: 1000, stock: 5 });
  const page = await buy(1, sold);
  expect((await edit(page.orderId, makeFree)).status).toBe(200);
  await t.app.drainJobs();
  expect((await sandbox.findSession(sessionOf(page)))?.state).toBe('expired');
  await backdateOrderExpiry(page.orderId);
  await expireOrders(t.app.services);
  expect(await stateOf(page.orderId)).toMatchObject({
    status: 'PROCESSING',
    currentPaymentStatus: 'PAID',
    total: 0,
    captured: 0,
    amountDue: 0,
  });
  expect(await loadStock(t, sold)).toBe(4);
  // Goods that are added later are due.
  await edit(page.orderId, { discount: 0 });
  expect(await stateOf(page.orderId)).toMatchObject({ total: 1083, amountDue: 1083 });
});

it('an order that was made free before counts as paid instead of expiring', async () => {
  const page = await buy();
  await t.db.write('update orders set total = 0, shipping = 0, tax = 0, discount = 1000 where id = $1', [
    page.orderId,
  ]);
  await backdateOrderExpiry(page.orderId);
  await expireOrders(t.app.services);
  expect(await stateOf(page.orderId)).toMatchObject({ status: 'PROCESSING', currentPaymentStatus: 'PAID' });
});

it('an order that staff make free confirms the order to its customer once, and returns a payment in transit', async () => {
  const email = `${newId()}@people.example`;
  const customer = await t.person({ email });
  const { body: page } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: customer,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
  });
  await sandbox.applyAction(sessionOf(page), 'pay');
  await edit(page.orderId, makeFree);
  await t.app.drainJobs();
  await edit(page.orderId, { locale: 'en' });
  await t.app.drainJobs();
  expect(await balanceAtProvider(page)).toBe(0);
  expect(await t.outbox(email)).toHaveLength(1);
});
