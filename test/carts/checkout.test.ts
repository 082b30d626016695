/** Checkout of carts, merging of guest carts, abandoned carts, and personal data. */
import { describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { emitAbandonedCartEvents } from '../../src/domains/carts/emit-abandoned-cart-events.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { addProduct, detailErrors, loadStock, postQuote } from '../support/shop-fixtures.ts';
import {
  add,
  call,
  cartOf,
  checkOut,
  open,
  ordersOf,
  pot,
  setPrice,
  shop,
  shopper,
  signedInGuest,
  t,
} from './setup.ts';

const engraving = { id: 'engraving', type: 'TEXT', value: 'Ada' };
const address = { id: 'shippingAddress', type: 'TEXT', value: { city: 'Bremen' } };

const fullCart = async () => {
  const guest = await shopper();
  await add(guest, { blocks: [engraving] });
  await call(guest, 'PUT', '/me', { note: 'Ring twice', promoCode: 'HALF', blocks: [address] });
  return guest;
};

describe('checkout', () => {
  it('creates an order with the content and total of the cart, and empties the cart', async () => {
    const guest = await fullCart();
    const [before, stock] = [await cartOf(guest), (await loadStock(t, pot)) ?? 0];
    const both = await checkOut(guest, { paymentMethod: 'CREDIT_CARD', payBy: 'CREDIT_CARD' });
    expect(detailErrors(both.body)).toEqual(['payBy INVALID_VALUE']);
    const { status, body } = await checkOut(guest, { payBy: 'CREDIT_CARD' });
    expect([status, body]).toEqual([200, { orderId: expect.any(String), checkoutUrl: expect.any(String) }]);
    const [order] = await ordersOf(guest);
    expect(order).toMatchObject({
      id: body.orderId,
      total: before.total,
      promoCode: 'HALF',
      lines: [{ quantity: 1 }, { quantity: 1 }],
      blocks: [address, { id: 'note', value: 'Ring twice' }, { ...engraving, id: 'lines.1.engraving' }],
    });
    expect(await loadStock(t, pot)).toBe(stock - 2);
    const emptied = await cartOf(guest);
    expect(emptied).toMatchObject({
      id: before.id,
      lines: [],
      blocks: [],
      total: 0,
      shippingMethodId: 'standard',
    });
    expect([emptied.note, emptied.promoCode, emptied.problems]).toEqual([undefined, undefined, []]);
    expect(detailErrors((await checkOut(guest)).body)).toEqual(['lines TOO_SHORT']);
  });

  it('creates one order for concurrent and repeated requests', async () => {
    const [guest, keyed] = [await shopper(), await shopper()];
    const answers = await Promise.all(Array.from({ length: 4 }, () => checkOut(guest)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(await ordersOf(guest)).toHaveLength(1);
    const headers = { 'idempotency-key': newId() };
    const first = await checkOut(keyed, {}, headers);
    await add(keyed);
    expect((await checkOut(keyed, {}, headers)).body).toEqual(first.body);
    expect((await cartOf(keyed)).lines).toHaveLength(1);
    expect((await checkOut(keyed, { paymentMethod: 'CREDIT_CARD' }, headers)).status).toBe(409);
    expect(await ordersOf(keyed)).toHaveLength(1);
  });

  it('applies the prices of a quote, checks the version, and completes without payment when the total is 0', async () => {
    const cup = await addProduct(t, shop, { price: 500 });
    const guest = await t.guest();
    await open(guest);
    const { version } = (await add(guest, cup)).body;
    const lines = [{ ...cup, quantity: 1 }];
    const terms = { businessId: shop.businessId, market: 'US', shippingMethodId: 'standard', lines };
    const quote = (await postQuote<{ id: string; total: number }>(t, guest, terms)).body;
    await setPrice(cup, 9000);
    expect((await checkOut(guest, {}, { 'if-match': `"${version + 1}"` })).status).toBe(412);
    await checkOut(guest, { quote: quote.id }, { 'if-match': `"${version}"` });
    expect((await ordersOf(guest)).map(({ total }) => total)).toEqual([quote.total]);
    const free = await addProduct(t, shop, { price: 0 });
    await add(guest, free);
    await call(guest, 'PUT', '/me', { market: 'US', promoCode: 'ALL', shippingMethodId: 'standard' });
    await t.db.write(
      `update shipping_methods set prices = '[{"marketId":"US","price":0}]' where business_id = $1`,
      [shop.businessId],
    );
    expect((await checkOut(guest)).body).toEqual({
      orderId: expect.any(String),
      status: 'COMPLETED',
    });
  });

  it('restores the cart when the payment session cannot be created', async () => {
    const guest = await fullCart();
    const before = await cartOf(guest);
    const { payments } = t.app.services as {
      payments: { createSession: SandboxPaymentProvider['createSession'] };
    };
    const { createSession } = payments;
    payments.createSession = async () => {
      // A line added in the meantime is preserved, too.
      payments.createSession = createSession;
      await add(guest, { quantity: 2 });
      throw new Error('The payment provider is unavailable.');
    };
    expect((await checkOut(guest, {}, { 'idempotency-key': 'again' })).status).toBe(503);
    const after = await cartOf(guest);
    expect(after).toMatchObject({ note: 'Ring twice', promoCode: 'HALF', blocks: before.blocks });
    expect(after.lines.map(({ quantity, blocks }) => [quantity, blocks])).toEqual([
      [3, []],
      [1, before.lines[1]?.blocks],
    ]);
    expect((await checkOut(guest, {}, { 'idempotency-key': 'again' })).status).toBe(200);
    expect((await cartOf(guest)).lines).toEqual([]);
  });
});

describe('merging the cart of a guest', () => {
  const merge = (as: { userId: string; token: string }, guestToken: string) =>
    call(as, 'POST', '/me/merge', { guestToken });

  it('adds its content to the cart of the customer, once', async () => {
    const [guest, customer] = [await fullCart(), await shopper(t.person(), 4)];
    await call(customer, 'PUT', '/me', { note: 'Mine' });
    const own = await cartOf(customer);
    const { status, body } = await merge(customer, guest.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: own.id, note: 'Mine', promoCode: 'HALF', blocks: [address] });
    expect(body.lines.map(({ quantity, blocks }) => [quantity, blocks.length])).toEqual([
      [5, 0],
      [1, 1],
    ]);
    expect((await call(guest, 'GET')).status).toBe(404);
    expect((await merge(customer, guest.token)).body).toEqual(body);
  });

  it('moves it to a customer without a cart', async () => {
    const [guest, customer] = [await fullCart(), await t.person()];
    const { lines, total, note, promoCode, blocks } = await cartOf(guest);
    const customerId = customer.userId;
    expect((await merge(customer, guest.token)).body).toMatchObject({
      ...{ customerId, lines, total, note, promoCode, blocks },
      version: 1,
    });
    expect((await merge(await t.person(), guest.token)).status).toBe(404);
  });

  it('merges once for two concurrent requests', async () => {
    const [guest, customer] = [await shopper(), await shopper(t.person())];
    const both = await Promise.all([merge(customer, guest.token), merge(customer, guest.token)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await cartOf(customer)).lines.map(({ quantity }) => quantity)).toEqual([2]);
  });
});

describe('an abandoned cart', () => {
  it('emits cart.abandoned once, and again after the owner returned', async () => {
    await t.rest('POST', `/v1/businesses/${shop.businessId}/webhooks`, {
      as: shop.admin,
      body: { url: 'https://hooks.example/', events: ['cart.*'] },
    });
    const [guest, empty] = [await shopper(), await t.guest()];
    await open(empty);
    const makeInactive = () =>
      t.db.write('update carts set updated_at = $1 where customer_id = any($2::uuid[])', [
        now() - 86_401,
        [guest.userId, empty.userId],
      ]);
    const abandonedEvents = async () => {
      await emitAbandonedCartEvents(t.app.services);
      return t.db.sql<{ data: object }>(`select data from webhook_events where type = 'cart.abandoned'`);
    };
    expect(await abandonedEvents()).toEqual([]);
    await makeInactive();
    const { id } = await cartOf(guest);
    const eventFields = {
      id,
      businessId: shop.businessId,
      customerId: guest.userId,
      market: 'US',
      version: 2,
    };
    const data = { ...eventFields, lines: [{ ...pot, quantity: 1 }], updatedAt: expect.any(Number) };
    expect(await abandonedEvents()).toEqual([{ data }]);
    expect(await abandonedEvents()).toHaveLength(1);
    await add(guest);
    await makeInactive();
    expect(await abandonedEvents()).toHaveLength(2);
  });

  it('is part of the personal data export and is deleted with its owner', async () => {
    const person = await signedInGuest();
    await shopper(Promise.resolve(person));
    await call(person, 'PUT', '/me', { note: 'Ring twice' });
    const carts = async () =>
      (await t.rest<{ carts: object[] }>('GET', '/v1/users/me/export', { as: person })).body.carts;
    expect(await carts()).toMatchObject([{ note: 'Ring twice', lines: [{ ...pot, quantity: 1 }] }]);
    await t.rest('POST', '/v1/users/me/delete', { as: person, body: {} });
    await t.app.drainJobs();
    expect(await t.db.sql('select 1 from carts where customer_id = $1', [person.userId])).toEqual([]);
  });
});
