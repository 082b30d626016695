/** Shipments: shippable units, transitions to SHIPPED and DELIVERED, customer mails. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeLineProgress } from '../../src/domains/orders/fulfilment/fulfilment-progress-by-line.ts';
import { deriveOrderChangeMails } from '../../src/domains/orders/mail/queue-order-mails.ts';
import type { Order, OrderFulfilment, OrderReturn } from '../../src/domains/orders/model.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { onPostgres } from '../support/database.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  customer,
  fetchOrder,
  manualOrder,
  other,
  postOrder,
  pot,
  putOrder,
  shop,
  statusTrail,
  t,
} from './setup.ts';

interface Shipment {
  id: string;
  status: string;
  lines: { line: number; quantity: number }[];
  carrier?: string;
  trackingNumber?: string;
  trackingUrl?: string;
}

const units = (quantity: number, line = 0) => ({ line, quantity });

const ship = (id: string, body: object = {}, as: Person | undefined = shop.admin, headers = {}) =>
  t.rest<Shipment>('POST', `${shop.orders}/${id}/fulfilments`, { as, body, headers });

const track = (id: string, fulfilmentId: string, body: object, as: Person = shop.admin) =>
  t.rest<Shipment>('PUT', `${shop.orders}/${id}/fulfilments/${fulfilmentId}`, { as, body });

const createTwoLineOrder = async () => {
  const line = { type: 'PRODUCT_VARIANT', ...pot, quantity: 3, unitPrice: 1000, totalPrice: 3000 };
  const lines = [line, { ...line, quantity: 1, totalPrice: 1000 }];
  const { body } = await postOrder(manualOrder({ lines, subtotal: 4000, tax: 0, shipping: 0, total: 4000 }));
  await putOrder(`/${body.id}/status`, { status: 'PROCESSING' });
  return body.id;
};

const fulfilmentState = async (id: string) => {
  const { statuses, lines } = await fetchOrder(id);
  return [statuses.at(-1)?.status, lines.map(({ fulfilledQuantity }) => fulfilledQuantity)];
};

describe('units of a line', () => {
  const goods = (line: object, shipped: number | undefined, returns: Partial<OrderReturn>[] = []) =>
    ({
      lines: [{ quantity: 5, ...line }],
      statuses: [{ status: shipped === undefined ? 'SHIPPED' : 'PROCESSING' }],
      ...(shipped === undefined ? {} : { fulfilments: [{ lines: [units(shipped)] }] }),
      returns,
    }) as unknown as Order;
  const back = (status: OrderReturn['status'], quantity: number, refundedAt?: number) => ({
    status,
    lines: [units(quantity)],
    refundedAt,
  });

  it.each([
    ['the order is new', {}, 0, [], 5, 0],
    ['some are shipped', {}, 2, [], 3, 2],
    ['some were refunded before shipping', { refunded: 2 }, 0, [], 3, 0],
    ['the unshipped ones were refunded', { refunded: 3 }, 2, [], 0, 2],
    ['some shipped ones were refunded too', { refunded: 4 }, 2, [], 0, 1],
    ['the order predates shipment records', {}, undefined, [], 0, 5],
    ['the order predates shipment records and was refunded partially', { refunded: 2 }, undefined, [], 0, 3],
    ['a return is requested', {}, 3, [back('REQUESTED', 2)], 2, 1],
    ['a return is refused', {}, 3, [back('REFUSED', 2)], 2, 3],
    ['a return is withdrawn', {}, 3, [back('WITHDRAWN', 2)], 2, 3],
    ['an accepted return is not refunded yet', {}, 3, [back('ACCEPTED', 2)], 2, 1],
    ['an accepted return is refunded', { refunded: 2 }, 3, [back('ACCEPTED', 2, 1)], 2, 1],
    [
      'one was refunded before, two were returned and refunded',
      { refunded: 3 },
      3,
      [back('ACCEPTED', 2, 1)],
      1,
      1,
    ],
    [
      'one was refunded before, two are returned but not refunded',
      { refunded: 1 },
      3,
      [back('ACCEPTED', 2)],
      1,
      1,
    ],
  ])('are counted when %s', (_case, line, shipped, returns, toShip, returnable) => {
    expect(computeLineProgress(goods(line, shipped, returns))[0]).toMatchObject({ toShip, returnable });
  });

  it('are never shipped or returned twice in any sequence of operations', () => {
    const step = fc.record({
      what: fc.constantFrom('ship', 'refund', 'ask', 'accept', 'pay', 'refuse', 'withdraw'),
      n: fc.nat(6),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 30 }), (quantity, steps) => {
        const line = { quantity, refunded: 0 };
        const returns: ReturnType<typeof back>[] = [];
        const parcels: { lines: object[] }[] = [];
        const order = { lines: [line], statuses: [], fulfilments: parcels, returns } as unknown as Order;
        let shippedUnits = 0;
        for (const { what, n } of steps) {
          const [now] = computeLineProgress(order);
          if (!now) throw new Error('a line is missing');
          const open = returns.find(({ status }) => status === 'REQUESTED');
          const unpaid = returns.find((one) => one.status === 'ACCEPTED' && one.refundedAt === undefined);
          if (what === 'ship' && n > 0 && n <= now.toShip) {
            parcels.push({ lines: [units(n)] });
            shippedUnits += n;
          }
          // Refunds are limited to units that are neither refunded nor in a pending refund.
          const waiting = unpaid?.lines[0]?.quantity ?? 0;
          if (what === 'refund')
            line.refunded += Math.max(0, Math.min(n, quantity - line.refunded - waiting));
          if (what === 'ask' && n > 0 && n <= now.returnable) returns.push(back('REQUESTED', n));
          const requestedUnits = open?.lines[0]?.quantity ?? 0;
          if (what === 'accept' && open && !unpaid && requestedUnits <= quantity - line.refunded)
            open.status = 'ACCEPTED';
          if (what === 'refuse' && open) open.status = 'REFUSED';
          if (what === 'withdraw' && open) open.status = 'WITHDRAWN';
          if (what === 'pay' && unpaid) {
            unpaid.refundedAt = 1;
            line.refunded += waiting;
          }
          const [after] = computeLineProgress(order);
          const claimed = returns.filter(({ status }) => status === 'REQUESTED' || status === 'ACCEPTED');
          expect(shippedUnits).toBeLessThanOrEqual(quantity);
          expect(line.refunded).toBeLessThanOrEqual(quantity);
          expect(claimed.reduce((sum, one) => sum + (one.lines[0]?.quantity ?? 0), 0)).toBeLessThanOrEqual(
            shippedUnits,
          );
          expect(after?.shipped).toBe(shippedUnits);
          expect((after?.toShip ?? 0) + shippedUnits).toBeLessThanOrEqual(quantity);
        }
      }),
    );
  });
});

describe('a partially shipped order', () => {
  it('becomes SHIPPED with its last unit and DELIVERED with its last shipment', async () => {
    const id = await createTwoLineOrder();
    const tracking = { carrier: 'DHL', trackingNumber: 'A 1', trackingUrl: 'https://track.example/A?x=<1>' };
    const first = await ship(id, { lines: [units(2)], ...tracking });
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.any(String),
        status: 'SHIPPED',
        lines: [units(2)],
        ...tracking,
        createdAt: expect.any(Number),
      },
    ]);
    expect(await fulfilmentState(id)).toEqual(['PROCESSING', [2, 0]]);
    expect(await track(id, first.body.id, { status: 'DELIVERED', trackingNumber: '' })).toMatchObject({
      body: { status: 'DELIVERED', carrier: 'DHL', deliveredAt: expect.any(Number) },
    });
    expect(await fulfilmentState(id)).toEqual(['PROCESSING', [2, 0]]);
    await t.app.drainJobs();
    const second = await ship(id);
    expect(second.body.lines).toEqual([units(1), units(1, 1)]);
    expect(await fulfilmentState(id)).toEqual(['SHIPPED', [3, 1]]);
    await track(id, second.body.id, { carrier: 'UPS' });
    expect(await fulfilmentState(id)).toEqual(['SHIPPED', [3, 1]]);
    await track(id, second.body.id, { status: 'DELIVERED' });
    expect(await fulfilmentState(id)).toEqual(['DELIVERED', [3, 1]]);
    const { version } = await fetchOrder(id);
    expect((await track(id, second.body.id, { status: 'DELIVERED' })).status).toBe(200);
    expect((await fetchOrder(id)).version).toBe(version);
    expect(detailErrors((await track(id, second.body.id, { status: 'SHIPPED' })).body)).toEqual([
      'status INVALID_TRANSITION',
    ]);
    const seen = await t.rest<{ fulfilments: Shipment[] }>('GET', `${shop.orders}/${id}`, { as: customer });
    expect(seen.body.fulfilments.map(({ trackingNumber, carrier }) => [trackingNumber, carrier])).toEqual([
      [undefined, 'DHL'],
      [undefined, 'UPS'],
    ]);
    const mails = (await t.outbox('ada@people.example')).slice(-2);
    expect(mails.map(({ text }) => text?.split('\n\n').slice(2, -1))).toEqual([
      [
        '2 × Pot, Small',
        'Carrier: DHL',
        'Tracking number: A 1',
        'Track the shipment:\nhttps://track.example/A?x=<1>',
      ],
      ['1 × Pot, Small\n1 × Pot, Small'],
    ]);
    expect(mails[0]?.html).toContain('<a href="https://track.example/A?x=&lt;1&gt;"');
  });

  it('rejects shipping units twice, cancelling and editing lines', async () => {
    const id = await createTwoLineOrder();
    const faults = async (body: object) => detailErrors((await ship(id, body)).body);
    expect([
      await faults({ lines: [units(4)] }),
      await faults({ lines: [units(1), units(1), units(1, 2)] }),
      await faults({ lines: [units(0), units(1, -1)] }),
      await faults({ lines: [] }),
      await faults({ lines: [units(1)], trackingUrl: 'javascript:alert(1)' }),
      await faults({ trackingUrl: 'https://u:p@track.example', carrier: 'x'.repeat(101) }),
    ]).toEqual([
      ['lines.0.quantity TOO_BIG'],
      ['lines.1.line LINE_NOT_FOUND', 'lines.2.line LINE_NOT_FOUND'],
      ['lines.0.quantity TOO_SMALL', 'lines.1.line TOO_SMALL'],
      ['lines TOO_SHORT'],
      ['trackingUrl INVALID_URL'],
      ['carrier TOO_LONG', 'trackingUrl INVALID_URL'],
    ]);
    expect(await fulfilmentState(id)).toEqual(['PROCESSING', [0, 0]]);
    const key = { 'idempotency-key': newId() };
    const [once, again] = [
      await ship(id, { lines: [units(2)] }, shop.admin, key),
      await ship(id, { lines: [units(2)] }, shop.admin, key),
    ];
    expect(again.body).toEqual(once.body);
    expect(await fulfilmentState(id)).toEqual(['PROCESSING', [2, 0]]);
    expect(detailErrors((await putOrder(`/${id}/status`, { status: 'CANCELLED' })).body)).toEqual([
      'status INVALID_TRANSITION',
    ]);
    const lines = [{ type: 'PRODUCT_VARIANT', ...pot, quantity: 1 }];
    expect(
      detailErrors((await putOrder('/update', { id, lines, subtotal: 1000, total: 1000 })).body),
    ).toEqual(['lines ORDER_NOT_EDITABLE']);
    await putOrder(`/${id}/status`, { status: 'DELIVERED' });
    expect(await fulfilmentState(id)).toEqual(['DELIVERED', [3, 1]]);
    expect(await faults({})).toEqual(['lines NOTHING_TO_SHIP']);
    const cancelled = await postOrder();
    await putOrder(`/${cancelled.body.id}/status`, { status: 'CANCELLED' });
    expect(detailErrors((await ship(cancelled.body.id, { lines: [units(1)] })).body)).toEqual([
      'lines NOTHING_TO_SHIP',
    ]);
  });

  it('can be shipped only by staff of its business', async () => {
    const id = await createTwoLineOrder();
    const { body } = await ship(id, { lines: [units(1)] });
    const guest = await t.guest();
    for (const [as, status] of [
      [customer, 403],
      [guest, 403],
      [other.admin, 404],
    ] as const) {
      expect([(await ship(id, {}, as)).status, (await track(id, body.id, {}, as)).status]).toEqual([
        status,
        status,
      ]);
    }
    const elsewhere = await t.rest('POST', `${other.orders}/${id}/fulfilments`, {
      as: other.admin,
      body: {},
    });
    expect(elsewhere.status).toBe(404);
    expect((await track(id, newId(), {})).status).toBe(404);
    expect((await ship(id, {}, shop.admin, { 'if-match': '"1"' })).status).toBe(412);
    expect(await fulfilmentState(id)).toEqual(['PROCESSING', [1, 0]]);
  });

  it.runIf(onPostgres)('ships each unit once under concurrent requests', async () => {
    const id = await createTwoLineOrder();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ship(id, { lines: [units(2)] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
    expect(await fulfilmentState(id)).toEqual(['PROCESSING', [2, 0]]);
  });
});

it('setting the status to SHIPPED ships the remaining units and queues one mail per shipment', async () => {
  const id = await createTwoLineOrder();
  await ship(id, { lines: [units(2)] });
  const { body } = await putOrder(`/${id}/status`, { status: 'SHIPPED' });
  const { fulfilments } = body as unknown as { fulfilments: Shipment[] };
  expect(fulfilments.map(({ lines }) => lines)).toEqual([[units(2)], [units(1), units(1, 1)]]);
  expect(statusTrail(body.statuses)).toEqual(['PENDING', 'PROCESSING', 'SHIPPED']);
  const recorded = await postOrder(manualOrder({ status: 'DELIVERED' }));
  expect(recorded.body).toMatchObject({ fulfilments: [{ status: 'DELIVERED', lines: [units(2)] }] });
  const order = { statuses: [{ status: 'PROCESSING' }], captured: 0, refunded: 0 } as unknown as Order;
  const part: OrderFulfilment = { id: 'f', status: 'SHIPPED', lines: [], createdAt: 1 };
  const after = { ...order, fulfilments: [part] };
  expect(deriveOrderChangeMails(order, after)).toEqual([{ kind: 'ORDER_SHIPPED', part }]);
  expect(deriveOrderChangeMails(after, after)).toEqual([]);
});
