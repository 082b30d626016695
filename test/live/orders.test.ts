/** Subscriptions to orders and carts: events and number of statements. */
import { describe, expect, it, vi } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { distinctValues, streamErrorCodes } from '../support/sse-client.ts';
import {
  checkOut,
  customer,
  open,
  other,
  pot,
  setStatus,
  shop,
  statusesOf,
  t,
  watchOrder,
  within,
} from './setup.ts';

describe('an order', () => {
  const orderFields = `id businessId customerId market currency subtotal tax shipping discount total status currentPaymentStatus
    allowedStatuses captured refunded version createdAt updatedAt customer { name email isGuest }
    lines { name quantity unitPrice totalPrice product { name } variant { inventory { quantity } } }
    statuses { id status changedBy userId timestamp } paymentStatus { status } refunds { amount status }`;

  it('is sent completely, first in its current state, then after changes by REST', async () => {
    const created = await t.rest<{ id: string }>('POST', shop.orders, {
      as: shop.admin,
      body: {
        customerId: customer.userId,
        market: 'US',
        currency: 'USD',
        lines: [{ type: 'PRODUCT_VARIANT', ...pot, quantity: 2, unitPrice: 1000, totalPrice: 2000 }],
        subtotal: 2000,
        tax: 165,
        shipping: 500,
        total: 2665,
      },
    });
    const { id } = created.body;
    const read = async () =>
      (
        await t.graphql(
          `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { ${orderFields} } }`,
          { b: shop.businessId, id },
          { as: customer },
        )
      ).data;
    const stream = await open(
      t,
      `subscription ($b: ID!, $id: ID) { order: orderChanged(businessId: $b, id: $id) { ${orderFields} } }`,
      { b: shop.businessId, id },
      { as: customer },
    );
    await expect.poll(() => stream.received[0], within).toEqual({ data: await read() });
    await setStatus(id, 'SHIPPED');
    await expect.poll(() => stream.received.at(-1), within).toEqual({ data: await read() });
    const stamp = { id: expect.any(String), timestamp: expect.any(Number) };
    const byAdmin = { changedBy: 'USER', userId: null, ...stamp };
    expect(stream.received.at(-1)?.data?.order).toEqual({
      id,
      businessId: shop.businessId,
      customerId: customer.userId,
      market: 'US',
      currency: 'USD',
      subtotal: 2000,
      tax: 165,
      shipping: 500,
      discount: 0,
      total: 2665,
      status: 'SHIPPED',
      currentPaymentStatus: 'PENDING',
      allowedStatuses: expect.any(Array),
      captured: 0,
      refunded: 0,
      version: 2,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      customer: { name: 'Ada', email: 'ada@people.example', isGuest: false },
      lines: [
        {
          name: 'Pot',
          quantity: 2,
          unitPrice: 1000,
          totalPrice: 2000,
          product: { name: 'Pot' },
          variant: { inventory: { quantity: expect.any(Number) } },
        },
      ],
      statuses: [
        { ...byAdmin, status: 'PENDING' },
        { ...byAdmin, status: 'SHIPPED' },
      ],
      paymentStatus: [{ status: 'PENDING' }],
      refunds: [],
    });
    await t.rest('PUT', `${shop.orders}/${id}/payment-status`, { as: shop.admin, body: { status: 'PAID' } });
    await expect
      .poll(() => stream.received.at(-1)?.data?.order, within)
      .toMatchObject({ currentPaymentStatus: 'PAID', version: 3 });
  });

  it('of a guest can be followed by that guest from checkout on', async () => {
    const guest = await t.guest();
    const staff = await watchOrder(null, shop.admin);
    const { body } = await checkOut([{ ...pot, quantity: 1 }], guest);
    const stream = await watchOrder(body.orderId, guest);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await expect.poll(() => statusesOf(staff), within).toEqual(['PENDING']);
    await setStatus(body.orderId, 'CANCELLED');
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING', 'CANCELLED']);
  });

  it('is sent after the commit only, once per transaction, and not after a rollback', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const stream = await watchOrder(id, customer);
    await expect.poll(() => stream.received.length, within).toBeGreaterThan(0);
    await t.db
      .transaction(async (tx) => {
        await tx.write('update orders set version = version + 1 where id = $1', [id]);
        throw new Error('undone');
      })
      .catch(() => {});
    await t.db.transaction(async (tx) => {
      await tx.write('update orders set version = version + 10 where id = $1', [id]);
      await tx.write('update orders set version = version + 10 where id = $1', [id]);
    });
    const versions = () =>
      distinctValues(
        stream,
        ({ orderChanged }: { orderChanged?: { version: number } }) => orderChanged?.version,
      );
    await expect.poll(versions, within).toEqual([1, 21]);
  });

  it('is sent when a refund is created and when its status changes', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const stream = await open(
      t,
      `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { refunds { status } } }`,
      { b: shop.businessId, id },
      { as: customer },
    );
    const refunds = () =>
      distinctValues(stream, ({ orderChanged }: { orderChanged?: { refunds: { status: string }[] } }) =>
        orderChanged?.refunds.map(({ status }) => status).join(),
      );
    await expect.poll(refunds, within).toEqual(['']);
    await t.db.write(
      `with attempt as (
         insert into payment_attempts (id, reference, kind, subject_id, number, amount, currency, expires_at, created_at, updated_at)
         values ($2::uuid, 'order:' || $2::uuid, 'order', $2::uuid, 1, 1, 'USD', 1, 1, 1) returning id
       )
       insert into refunds (id, attempt_id, payment_id, amount, currency, created_at) select $1, id, 'p', 1, 'USD', 1 from attempt`,
      [newId(), id],
    );
    await expect.poll(refunds, within).toEqual(['', 'PENDING']);
    await t.db.write(`update refunds set status = 'FAILED' where attempt_id = $1`, [id]);
    await expect.poll(refunds, within).toEqual(['', 'PENDING', 'FAILED']);
  });

  it.each([1, 10, 100])(
    'needs a constant number of statements when %i orders change at once',
    async (count) => {
      const stream = await watchOrder(null, shop.admin);
      const ids = await Promise.all(Array.from({ length: count }, () => createEmptyOrder(t, shop, customer)));
      const seen = () =>
        new Set(
          distinctValues(stream, ({ orderChanged }: { orderChanged?: { id: string } }) => orderChanged?.id),
        );
      await expect.poll(seen, within).toEqual(new Set(ids));
      await new Promise((resolve) => setTimeout(resolve, 50));
      stream.received.length = 0;
      await t.db.transaction(async (tx) => {
        await tx.write('update orders set version = version + 1 where id = any($1::uuid[])', [ids]);
        t.statements.length = 0;
      });
      await expect.poll(seen, within).toEqual(new Set(ids));
      const tables = t.statements.map((text) => /from (users|orders)/.exec(text)?.[1]);
      expect(new Set(tables)).toEqual(new Set(['users', 'orders']));
      // Notifications of one commit may arrive in two packets, and on a busy machine the viewer may be checked again.
      expect(tables.length).toBeLessThanOrEqual(5);
    },
  );

  it('breaks the stream when it cannot be read, so that the client reconnects', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    // Events are read on a handle of the subscription.
    const withContext = t.db.withContext.bind(t.db);
    const handles: Db[] = [];
    const opened = vi.spyOn(t.db, 'withContext').mockImplementation((context) => {
      const handle = withContext(context);
      handles.push(handle);
      return handle;
    });
    const stream = await watchOrder(id, customer);
    opened.mockRestore();
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    for (const handle of handles)
      vi.spyOn(handle, 'sql').mockRejectedValue(new Error('The database is away.'));
    await t.db.transaction((tx) => tx.write('update orders set version = version + 1 where id = $1', [id]));
    await expect.poll(() => stream.state, within).toBe('broken');
    expect(streamErrorCodes(stream)).toEqual([]);
  });

  it('can be addressed by an id in upper case', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const stream = await watchOrder(id.toUpperCase(), customer, shop.businessId.toUpperCase());
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING', 'PROCESSING']);
  });
});

describe('a cart', () => {
  const document = `subscription ($b: ID!, $id: ID!) { cartChanged(businessId: $b, id: $id) {
    version note total lines { quantity } } }`;
  const carts = () => `/v1/businesses/${shop.businessId}/carts`;
  const watch = (id: string, as: Person, b = shop.businessId) => open(t, document, { b, id }, { as });

  it('is sent to its owner and staff, initially and after changes on another device, until it is deleted', async () => {
    const guest = await t.guest();
    const created = await t.rest<{ id: string }>('POST', carts(), { as: guest, body: { market: 'US' } });
    const { id } = created.body;
    const [stream, staff] = [await watch(id, guest), await watch(id, shop.admin)];
    await t.rest('POST', `${carts()}/me/lines`, { as: guest, body: { ...pot, quantity: 2 } });
    await expect
      .poll(() => [stream.received[0], stream.received.at(-1)], within)
      .toEqual([
        { data: { cartChanged: { version: 1, note: null, total: 0, lines: [] } } },
        { data: { cartChanged: { version: 2, note: null, total: 2165, lines: [{ quantity: 2 }] } } },
      ]);
    await expect.poll(() => staff.received.at(-1), within).toEqual(stream.received.at(-1));
    for (const [as, b] of [
      [await t.guest(), shop.businessId],
      [customer, shop.businessId],
      [other.admin, shop.businessId],
      [other.admin, other.businessId],
    ] as const) {
      const rejected = await watch(id, as, b);
      await expect.poll(() => streamErrorCodes(rejected), within).toEqual(['NOT_FOUND']);
    }
    await t.rest('DELETE', `${carts()}/me`, { as: guest });
    await expect
      .poll(() => [stream, staff].map(streamErrorCodes), within)
      .toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  });
});
