/** Webhook events of orders, as a receiver sees them. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { addProduct, addPromoCode, type SoldProduct } from '../support/shop-fixtures.ts';
import { assertNoPersonalData, base, call, guest, receivedEvents, shop, t } from './events-setup.ts';

describe('orders', () => {
  let pot: SoldProduct;
  beforeAll(async () => {
    pot = await addProduct(t, shop, { price: 1000, stock: 100_000, name: 'Pot' });
    await addPromoCode(t, shop, { code: 'ALL', type: 'PERCENTAGE', bps: 10_000 });
  });

  const orderData = (id: string, more: object = {}) => ({
    id,
    number: expect.any(Number),
    businessId: shop.businessId,
    customerId: guest.userId,
    status: 'PENDING',
    paymentStatus: 'PENDING',
    market: 'US',
    currency: 'USD',
    subtotal: 3000,
    tax: 248,
    shipping: 590,
    discount: 0,
    total: 3838,
    version: 1,
    ...more,
  });
  const payment = (orderId: string, more: object) => ({
    orderId,
    businessId: shop.businessId,
    currency: 'USD',
    refunded: 0,
    provider: 'sandbox',
    ...more,
  });

  const buy = async (more: object = {}) => {
    const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 3 }], ...more };
    const bought = await call<{ orderId: string; checkoutUrl?: string }>(
      'POST',
      'orders/checkout',
      body,
      guest,
    );
    return { id: bought.orderId, sessionId: bought.checkoutUrl?.split('/').at(-1) ?? '' };
  };
  const sandbox = () => t.app.services.payments as SandboxPaymentProvider;

  it('emit events for checkout, declined payment, payment, shipment and refunds', async () => {
    const { id, sessionId } = await buy();
    expect(await receivedEvents()).toEqual([
      { type: 'order.created', data: orderData(id, { number: 1001 }) },
    ]);

    await sandbox().applyAction(sessionId, 'decline');
    expect(await receivedEvents()).toEqual([
      { type: 'payment.failed', data: payment(id, { paymentStatus: 'FAILED', amount: 3838, version: 2 }) },
    ]);

    await sandbox().applyAction(sessionId, 'pay');
    const paid = { status: 'PROCESSING', paymentStatus: 'PAID', version: 3 };
    expect(await receivedEvents()).toEqual([
      { type: 'order.status_changed', data: orderData(id, { ...paid, previousStatus: 'PENDING' }) },
      { type: 'payment.paid', data: payment(id, { paymentStatus: 'PAID', amount: 3838, version: 3 }) },
    ]);

    const shipped = { ...paid, status: 'SHIPPED', version: 4 };
    const fulfilment = {
      id: expect.any(String),
      status: 'SHIPPED',
      lines: [{ line: 0, quantity: 3 }],
      createdAt: expect.any(Number),
    };
    await call('PUT', `orders/${id}/status`, { status: 'SHIPPED' });
    await call('PUT', `orders/${id}/status`, { status: 'SHIPPED' });
    expect(await receivedEvents()).toEqual([
      { type: 'order.fulfilled', data: orderData(id, { ...shipped, fulfilment }) },
      {
        type: 'order.status_changed',
        data: orderData(id, { ...shipped, previousStatus: 'PROCESSING' }),
      },
    ]);

    const refund = (amount: number) =>
      t.graphql(
        'mutation($b: ID!, $id: ID!, $input: RefundInput!) { refundOrder(businessId: $b, id: $id, input: $input) { order { id } } }',
        { b: shop.businessId, id, input: { amount } },
        { as: shop.admin },
      );
    const partial = { paymentStatus: 'PARTIALLY_REFUNDED' };
    for (const [version, amount, refunded] of [
      [5, 838, 838],
      [6, 1000, 1838],
    ] as const) {
      await refund(amount);
      expect(await receivedEvents()).toEqual([
        { type: 'payment.refunded', data: payment(id, { ...partial, amount, refunded, version }) },
      ]);
    }
    await refund(2000);
    const full = { paymentStatus: 'REFUNDED', version: 7 };
    expect(await receivedEvents()).toEqual([
      {
        type: 'order.status_changed',
        data: orderData(id, { ...full, status: 'REFUNDED', previousStatus: 'SHIPPED' }),
      },
      { type: 'payment.refunded', data: payment(id, { ...full, amount: 2000, refunded: 3838 }) },
    ]);
  });

  it('emit cancellation when they expire unpaid', async () => {
    const { id } = await buy();
    await receivedEvents();
    await t.db.write('update orders set expires_at = 1 where id = $1', [id]);
    await expireOrders(t.app.services);
    const failed = { paymentStatus: 'FAILED', version: 2 };
    expect(await receivedEvents()).toEqual([
      {
        type: 'order.status_changed',
        data: orderData(id, { ...failed, status: 'CANCELLED', previousStatus: 'PENDING' }),
      },
      { type: 'payment.failed', data: payment(id, { ...failed, amount: 3838 }) },
    ]);
  });

  it('emit one event for a dispute, and one for a refund that fails later', async () => {
    const { id: orderId, sessionId } = await buy();
    await sandbox().applyAction(sessionId, 'pay');
    await receivedEvents();
    const common = { orderId, businessId: shop.businessId, currency: 'USD' };
    for (const time of ['first', 'again']) {
      await sandbox().applyAction(sessionId, 'dispute');
      expect([time, await receivedEvents()]).toEqual([
        time,
        time === 'first' ? [{ type: 'payment.disputed', data: { ...common, amount: 3838 } }] : [],
      ]);
    }
    const { id } = await call<{ id: string }>('POST', `orders/${orderId}/refunds`, { amount: 500 });
    await receivedEvents();
    await sandbox().failRefund(sessionId, id);
    const reason = 'The bank did not take the money.';
    expect(await receivedEvents()).toEqual([
      { type: 'refund.failed', data: { ...common, id, amount: 500, reason } },
    ]);
  });

  it('emit payment.returned for a payment with an outdated amount', async () => {
    const { id: orderId, sessionId } = await buy();
    await receivedEvents();
    // Paid at the provider; the event is not delivered yet.
    await sandbox().applyAction(sessionId, 'pay');
    await call('PUT', 'orders/update', { id: orderId, lines: [{ ...pot, quantity: 1 }] });
    const common = { orderId, businessId: shop.businessId, currency: 'USD' };
    expect((await receivedEvents()).filter(({ type }) => !type.startsWith('order.'))).toEqual([
      { type: 'payment.returned', data: { ...common, amount: 3838, reason: 'Paid too late' } },
    ]);
  });

  it('without an amount due contain the discount in order.created', async () => {
    const { id } = await buy({
      promoCode: 'ALL',
      items: [{ ...pot, quantity: 1 }],
      shippingMethodId: 'standard',
      market: 'US',
    });
    const [event] = await receivedEvents();
    expect(event).toMatchObject({ type: 'order.created', data: { id, discount: 1000, subtotal: 1000 } });
  });

  it('created by staff emit events for updates, payment status and cancellation', async () => {
    const lines = [{ ...pot, quantity: 1 }];
    const { id } = await call<{ id: string }>('POST', 'orders', { market: 'US', lines });
    const { customerId: _none, ...plain } = orderData(id, {
      subtotal: 1000,
      tax: 0,
      shipping: 0,
      total: 1000,
    });
    expect(await receivedEvents()).toEqual([{ type: 'order.created', data: plain }]);

    await call('PUT', 'orders/update', { id, lines: [{ ...pot, quantity: 2 }], subtotal: 2000, total: 2000 });
    const changed = { ...plain, subtotal: 2000, total: 2000, version: 2 };
    expect(await receivedEvents()).toEqual([{ type: 'order.updated', data: changed }]);

    await call('PUT', `orders/${id}/payment-status`, { status: 'PAID' });
    const { provider: _provider, ...byHand } = payment(id, {
      paymentStatus: 'PAID',
      amount: 2000,
      version: 3,
    }) as Record<string, unknown>;
    expect(await receivedEvents()).toEqual([{ type: 'payment.paid', data: byHand }]);

    await call('PUT', `orders/${id}/payment-status`, { status: 'REFUNDED' });
    const { amount: _amount, ...unknown } = { ...byHand, paymentStatus: 'REFUNDED', version: 4 } as Record<
      string,
      unknown
    >;
    expect(await receivedEvents()).toEqual([{ type: 'payment.refunded', data: unknown }]);

    await call('PUT', 'orders/update', {
      id,
      blocks: [{ id: 'note', type: 'TEXT', value: 'x' }],
      status: 'CANCELLED',
    });
    const cancelled = { ...changed, status: 'CANCELLED', paymentStatus: 'REFUNDED', version: 5 };
    expect(await receivedEvents()).toEqual([
      { type: 'order.status_changed', data: { ...cancelled, previousStatus: 'PENDING' } },
      { type: 'order.updated', data: cancelled },
    ]);
  });

  it('emit nothing when rejected or rolled back', async () => {
    const scarce = await addProduct(t, shop, { stock: 1, low: 1 });
    await receivedEvents();
    const response = await t.rest('POST', `${base}/orders/checkout`, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...scarce, quantity: 2 }] },
    });
    expect(response.status).toBe(422);
    const limited = await t.rest('POST', `${base}/orders/checkout`, {
      as: guest,
      body: {
        market: 'US',
        shippingMethodId: 'standard',
        promoCode: 'NONE',
        items: [{ ...pot, quantity: 2 }],
      },
    });
    expect(limited.status).toBe(422);
    expect(await receivedEvents()).toEqual([]);
    const [{ events } = { events: -1 }] = await t.db.sql<{ events: number }>(
      `select count(*)::int as events from webhook_events e where e.data->>'productId' = $1`,
      [scarce.productId],
    );
    expect(events).toBe(0);
  });

  it('emit stock.low once per crossing of the threshold', async () => {
    const scarce = await addProduct(t, shop, { stock: 10, low: 5 });
    const [variant] = await t.db.sql<{ sku: string }>('select sku from variants where id = $1', [
      scarce.variantId,
    ]);
    await receivedEvents();
    const orderUnits = async (quantity: number) => {
      await call('POST', 'orders', { market: 'US', lines: [{ ...scarce, quantity }] });
      return (await receivedEvents()).filter(({ type }) => type === 'stock.low');
    };
    expect(await orderUnits(4)).toEqual([]);
    expect(await orderUnits(2)).toEqual([
      {
        type: 'stock.low',
        data: {
          businessId: shop.businessId,
          ...scarce,
          sku: variant?.sku,
          quantity: 4,
          lowStockThreshold: 5,
        },
      },
    ]);
    expect(await orderUnits(1)).toEqual([]);
  });
});

assertNoPersonalData();
