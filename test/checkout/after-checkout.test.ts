/** After checkout: price lock, retries, expiry and low-stock notification. */
import { describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { replaceCreateSession } from '../support/fake-payments.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  detailErrors,
  loadStock,
  postQuote,
} from '../support/shop-fixtures.ts';
import {
  cartInput,
  fetchOrder,
  guest,
  makeOrderOverdue,
  type OrderBody,
  postCheckout,
  pot,
  promoUses,
  shop,
  statusTrails,
  submitPaymentPage,
  t,
} from './setup.ts';

describe('the price lock', () => {
  it('applies after prices, tax and shipping have changed', async () => {
    const cup = await addProduct(t, shop, { price: 500, stock: 10 });
    const lines = [{ ...cup, quantity: 2 }];
    const quote = await postQuote<{ id: string; total: number }>(t, guest, {
      businessId: shop.businessId,
      market: 'US',
      lines,
      shippingMethodId: 'standard',
      promoCode: 'HALF',
    });
    await t.db.write(
      `update products set document = jsonb_set(document, '{variants,0,pricing,markets,0,price}', '999999') where id = $1`,
      [cup.productId],
    );
    const uses = (await promoUses('HALF')) ?? 0;
    for (const name of ['quote', 'quoteId']) {
      const { body } = await postCheckout({ market: 'US', items: lines, [name]: quote.body.id });
      expect(await fetchOrder(body.orderId)).toMatchObject({
        total: quote.body.total,
        discount: 500,
        promoCode: 'HALF',
        shippingMethodId: 'standard',
      });
    }
    expect(await promoUses('HALF')).toBe(uses + 2);
    const mismatch = await postCheckout(
      cartInput({ items: [{ ...cup, quantity: 3 }], quote: quote.body.id }),
    );
    expect(detailErrors(mismatch.body)).toEqual(['quote QUOTE_MISMATCH']);
    const promo = await addPromoCode(t, shop, { code: 'GONE', type: 'PERCENTAGE', bps: 5000 });
    const request = { businessId: shop.businessId, market: 'US', lines, shippingMethodId: 'standard' };
    const outdatedQuote = await postQuote<{ id: string }>(t, guest, { ...request, promoCode: 'GONE' });
    await t.db.write('delete from promo_codes where id = $1', [promo]);
    expect(
      detailErrors((await postCheckout({ market: 'US', items: lines, quote: outdatedQuote.body.id })).body),
    ).toEqual(['promoCode PROMO_CODE_INVALID']);
    await t.rest('DELETE', `/v1/businesses/${shop.businessId}/products/${cup.productId}`, { as: shop.admin });
    expect(
      detailErrors((await postCheckout({ market: 'US', items: lines, quote: quote.body.id })).body),
    ).toEqual(['items.0.productId PRODUCT_NOT_FOUND']);
  });
});

describe('retries', () => {
  it('create one order per Idempotency-Key, and open the page of a checkout whose process crashed', async () => {
    const headers = { 'idempotency-key': newId() };
    const before = (await loadStock(t, pot)) ?? 0;
    const first = await postCheckout(cartInput(), guest, headers);
    // Simulates a crash after the commit and before the payment page.
    await t.db.write(
      `update payment_attempts set session_id = null, url = null, state = 'NEW' where subject_id = $1`,
      [first.body.orderId],
    );
    await t.db.write('delete from sandbox_payments where reference = $1', [`order:${first.body.orderId}`]);
    const again = await postCheckout(cartInput(), guest, headers);
    expect(again.body.orderId).toBe(first.body.orderId);
    expect((await submitPaymentPage(again.body.checkoutUrl, 'pay')).status).toBe(303);
    expect(await postCheckout(cartInput(), guest, headers)).toMatchObject({ status: 200, body: again.body });
    expect(await loadStock(t, pot)).toBe(before - 2);
    expect((await postCheckout(cartInput({ items: [{ ...pot, quantity: 1 }] }), guest, headers)).status).toBe(
      409,
    );
  });

  it('start over after a provider failure: the first order was cancelled', async () => {
    const { payments } = t.app.services as {
      payments: { createSession: SandboxPaymentProvider['createSession'] };
    };
    const { createSession } = payments;
    const headers = { 'idempotency-key': newId() };
    const [stock, uses] = [await loadStock(t, pot), await promoUses('HALF')];
    payments.createSession = () => Promise.reject(new Error('connect ECONNREFUSED secret-host'));
    const failed = await postCheckout(cartInput({ promoCode: 'HALF' }), guest, headers);
    payments.createSession = createSession;
    expect(failed.status).toBe(503);
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(JSON.stringify(failed.body)).not.toContain('secret-host');
    expect([await loadStock(t, pot), await promoUses('HALF')]).toEqual([stock, uses]);
    const list = await t.rest<{ items: OrderBody[] }>('GET', `${shop.orders}?limit=1`, { as: guest });
    expect(list.body.items[0]).toMatchObject({
      statuses: [{ status: 'PENDING' }, { status: 'CANCELLED', changedBy: 'SYSTEM' }],
      paymentStatus: [{ status: 'PENDING' }, { status: 'FAILED' }],
    });
    expect((await postCheckout(cartInput({ promoCode: 'HALF' }), guest, headers)).status).toBe(200);
  });

  it('keep the order of the newest request when an older one fails late', async () => {
    const { payments } = t.app.services;
    const headers = { 'idempotency-key': newId() };
    const before = (await loadStock(t, pot)) ?? 0;
    let [failLate, restore] = [() => {}, () => {}];
    const called = new Promise<void>((resolve) => {
      restore = replaceCreateSession(
        payments,
        () =>
          new Promise((_resolve, reject) => {
            failLate = () => reject(new Error('request timed out'));
            resolve();
          }),
      );
    });
    const older = postCheckout(cartInput(), guest, headers);
    await called;
    replaceCreateSession(payments, () => Promise.reject(new Error('connect ECONNREFUSED')));
    expect((await postCheckout(cartInput(), guest, headers)).status).toBe(503);
    restore();
    const newer = await postCheckout(cartInput(), guest, headers);
    expect(newer.status).toBe(200);
    failLate();
    expect((await older).status).toBe(503);
    expect((await postCheckout(cartInput(), guest, headers)).body).toEqual(newer.body);
    expect(await loadStock(t, pot)).toBe(before - 2);
  });
});

describe('expiry', () => {
  it('cancels an unpaid order once, and refunds a late payment', async () => {
    const rare = await addProduct(t, shop, { stock: 5 });
    const uses = await promoUses('HALF');
    const { body } = await postCheckout(cartInput({ items: [{ ...rare, quantity: 5 }], promoCode: 'HALF' }));
    const { services } = t.app;
    await expireOrders(services);
    expect((await statusTrails(body.orderId))[0]).toEqual(['PENDING']);
    await makeOrderOverdue(body.orderId);
    const sessionId = body.checkoutUrl?.split('/').at(-1) ?? '';
    const counts = await Promise.all([expireOrders(services), expireOrders(services)]);
    expect(counts[0] + counts[1]).toBe(1);
    expect(await statusTrails(body.orderId)).toEqual([
      ['PENDING', 'CANCELLED'],
      ['PENDING', 'FAILED'],
    ]);
    expect([await loadStock(t, rare), await promoUses('HALF')]).toEqual([5, uses]);
    const { total } = await fetchOrder(body.orderId);
    // The page was closed before the order was cancelled; simulates a payment that arrives anyway.
    await t.db.write(`update sandbox_payments set state = 'PAID' where id = $1`, [sessionId]);
    await deliverPaymentEvent(
      t,
      createPaymentEvent(body.orderId, { paymentId: `pay_${sessionId}`, amount: total }),
    );
    await t.app.drainJobs();
    expect(await statusTrails(body.orderId)).toEqual([
      ['PENDING', 'CANCELLED'],
      ['PENDING', 'FAILED', 'PAID', 'REFUNDED'],
    ]);
    expect([await loadStock(t, rare), await promoUses('HALF')]).toEqual([5, uses]);
    const order = await t.graphql(
      'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { captured refunded refunds { amount status reason } } }',
      { b: shop.businessId, id: body.orderId },
      { as: shop.admin },
    );
    expect(order.data).toEqual({
      order: {
        captured: total,
        refunded: total,
        refunds: [{ amount: total, status: 'SUCCEEDED', reason: 'Paid too late' }],
      },
    });
  });

  it('closes the payment page, like a cancellation by staff', async () => {
    const [expired, cancelled] = [(await postCheckout()).body, (await postCheckout()).body];
    await makeOrderOverdue(expired.orderId);
    await expireOrders(t.app.services);
    await t.rest('PUT', `${shop.orders}/${cancelled.orderId}/status`, {
      as: shop.admin,
      body: { status: 'CANCELLED' },
    });
    expect((await statusTrails(cancelled.orderId))[1]).toEqual(['PENDING', 'FAILED']);
    await t.app.drainJobs();
    for (const { checkoutUrl, orderId } of [expired, cancelled]) {
      expect(await submitPaymentPage(checkoutUrl, 'pay')).toEqual({
        status: 303,
        location: new URL(checkoutUrl ?? '').pathname,
      });
      expect(await (await t.app.fetch(new Request(checkoutUrl ?? ''))).text()).toContain('has expired');
      expect((await statusTrails(orderId))[0]).toEqual(['PENDING', 'CANCELLED']);
    }
  });

  it('does not cancel orders that staff recorded as paid', async () => {
    const { body } = await postCheckout();
    await t.rest('PUT', `${shop.orders}/${body.orderId}/payment-status`, {
      as: shop.admin,
      body: { status: 'PAID' },
    });
    await makeOrderOverdue(body.orderId);
    await expireOrders(t.app.services);
    expect(await statusTrails(body.orderId)).toEqual([['PENDING'], ['PENDING', 'PAID']]);
  });

  it('does not cancel manual orders', async () => {
    const { body } = await t.rest<{ id: string }>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
    });
    await t.db.write('update orders set created_at = 0 where id = $1', [body.id]);
    await expireOrders(t.app.services);
    expect((await statusTrails(body.id))[0]).toEqual(['PENDING']);
  });
});

describe('low stock', () => {
  it('is reported once when the threshold is crossed, and listed for staff', async () => {
    const quiet = await createSellingShop(t);
    const [{ email } = { email: '' }] = await t.db.sql<{ email: string }>(
      'select email from users where id = $1',
      [quiet.admin.userId],
    );
    const rare = await addProduct(t, quiet, { stock: 5, low: 2, name: 'Rare' });
    await addProduct(t, quiet, { stock: 5, low: 2, name: 'Plenty' });
    const buy = () =>
      t.rest('POST', `${quiet.orders}/checkout`, {
        as: guest,
        body: cartInput({ items: [{ ...rare, quantity: 1 }] }),
      });
    const low = async (as: Person) =>
      t.rest<{ items: { name: string }[] }>(
        'GET',
        `/v1/businesses/${quiet.businessId}/products?lowStock=true`,
        { as },
      );
    await buy();
    await buy();
    expect(await t.outbox(email)).toEqual([]);
    expect((await low(quiet.admin)).body.items).toEqual([]);
    await buy();
    await buy();
    expect((await t.outbox(email)).map(({ subject, text }) => [subject, text])).toEqual([
      ['Stock is running low', 'Rare, Small: 2 left\n'],
    ]);
    expect((await low(quiet.admin)).body.items.map(({ name }) => name)).toEqual(['Rare']);
    expect((await low(guest)).status).toBe(403);
    expect((await low(shop.admin)).status).toBe(403);
  });
});
