/** Rules of fulfilment: line progress, shippable units, and the resulting order status. */
import { describe, expect, it } from 'vitest';
import {
  computeLineProgress,
  countUnrefundedReturnedUnits,
  listOrderLinesWithProgress,
  listUnitsToShip,
} from '../../src/domains/orders/fulfilment/fulfilment-progress-by-line.ts';
import {
  deriveFulfilmentStatus,
  deriveStatusFromFulfilments,
  markFulfilmentDelivered,
  planFulfilmentUnits,
  shipOrDeliverWholeOrder,
  updateFulfilmentFields,
} from '../../src/domains/orders/fulfilment/fulfilment-rules.ts';
import {
  findLineUnitErrors,
  sumUnitsOfLine,
} from '../../src/domains/orders/fulfilment/quantities-by-line-index.ts';
import type { OrderFulfilment, OrderLine, OrderReturn } from '../../src/domains/orders/model.ts';
import {
  allowedOrderTransitions,
  type OrderStatus,
  orderTransitions,
} from '../../src/domains/orders/status-transitions.ts';
import { buildSystemStatusHistoryEntry } from '../../src/domains/shared/status-history.ts';
import {
  line,
  lineNotFoundError,
  type OrderParts,
  order,
  orderReturn,
  outcome,
  shipment,
  statusesOf,
  units,
} from './setup.ts';

it('counts the units of a line, and rejects unknown lines and excess units', () => {
  expect([0, 1, 2].map((at) => sumUnitsOfLine(units([0, 2], [1, 1], [0, 3]), at))).toEqual([5, 1, 0]);
  const faults = findLineUnitErrors(units([0, 2], [1, 2], [7, 1], [0, 1]), [2, 1], 'shipped', 'items');
  expect(faults.map(({ field, error, message }) => `${field} ${error} ${message}`)).toEqual([
    'items.1.quantity TOO_BIG Only 1 of this line can be shipped.',
    `items.2.line ${lineNotFoundError}`,
    `items.3.line ${lineNotFoundError}`,
  ]);
  expect(findLineUnitErrors(units([0, 1]), [0], 'returned')[0]?.field).toBe('lines.0.quantity');
});

describe('line progress', () => {
  /** Expected for a line of five units: shipped, returned, to ship, returnable. */
  it.each([
    ['new order', {}, 0, [0, 0, 5, 0]],
    ['partially shipped', { fulfilments: [shipment(units([0, 2]))] }, 0, [2, 0, 3, 2]],
    ['two shipments', { fulfilments: [shipment(units([0, 2])), shipment(units([0, 1]))] }, 0, [3, 0, 2, 3]],
    ['more shipped than ordered', { fulfilments: [shipment(units([0, 9]))] }, 0, [5, 0, 0, 5]],
    ['SHIPPED order that predates fulfilments', { statuses: ['SHIPPED'] }, 0, [5, 0, 0, 5]],
    [
      'DELIVERED order that predates fulfilments',
      { statuses: ['PENDING', 'SHIPPED', 'DELIVERED'] },
      0,
      [5, 0, 0, 5],
    ],
    [
      'SHIPPED status with an empty list of fulfilments',
      { statuses: ['SHIPPED'], fulfilments: [] },
      0,
      [0, 0, 5, 0],
    ],
    ['some refunded before shipping', {}, 2, [0, 0, 3, 0]],
    ['more refunded than unshipped', { fulfilments: [shipment(units([0, 4]))] }, 3, [4, 0, 0, 2]],
    [
      'return requested',
      { fulfilments: [shipment(units([0, 4]))], returns: [orderReturn(units([0, 1]))] },
      0,
      [4, 0, 1, 3],
    ],
    [
      'return accepted',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 1]), { status: 'ACCEPTED' })],
      },
      0,
      [4, 1, 1, 3],
    ],
    [
      'return accepted and refunded',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 1]), { status: 'ACCEPTED', refundedAt: 0 })],
      },
      1,
      [4, 1, 1, 3],
    ],
    [
      'return accepted without refund, other units refunded',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 1]), { status: 'ACCEPTED' })],
      },
      1,
      [4, 1, 0, 3],
    ],
    [
      'returns refused and withdrawn',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [
          orderReturn(units([0, 1]), { status: 'REFUSED', refundedAt: 1 }),
          orderReturn(units([0, 1]), { status: 'WITHDRAWN' }),
        ],
      },
      1,
      [4, 0, 0, 4],
    ],
    [
      'return refunded for more units than counted',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 2]), { status: 'ACCEPTED', refundedAt: 9 })],
      },
      1,
      [4, 2, 1, 2],
    ],
    [
      'all units requested twice',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 4])), orderReturn(units([0, 4]))],
      },
      0,
      [4, 0, 1, 0],
    ],
  ] as [string, OrderParts, number, number[]][])('%s', (_name, parts, refunded, expected) => {
    const given = order({ ...parts, lines: [line('a', 5, refunded > 0 ? { refunded } : {})] });
    const [shipped, returned, toShip, returnable] = expected;
    expect(computeLineProgress(given)).toEqual([{ shipped, returned, toShip, returnable }]);
    expect(listUnitsToShip(given)).toEqual(toShip ? units([0, toShip]) : []);
    expect(listOrderLinesWithProgress(given)).toEqual([
      { ...given.lines[0], progress: computeLineProgress(given)[0] },
    ]);
  });

  const shipped = { fulfilments: [shipment(units([0, 3]))] };
  const accepted = (more: object) =>
    orderReturn([{ line: 0, quantity: 1, restock: true }], { status: 'ACCEPTED', ...more });
  /** Expected for a line of five units: to ship, returnable, returned without a refund. */
  it.each([
    ['restocked before shipping, refund failed', { restocked: 1 }, {}, [1, 3, 0]],
    ['restocked by a return without refund', { restocked: 1 }, accepted({}), [2, 2, 1]],
    [
      'of that return refunded later',
      { restocked: 1, refunded: 1, refundedReturned: 1 },
      accepted({}),
      [2, 2, 0],
    ],
    [
      'restocked by a return whose refund failed',
      { restocked: 1, refunded: 1 },
      accepted({ refundIds: ['r'], restockedAt: 1 }),
      [2, 2, 0],
    ],
  ] as [string, Partial<OrderLine>, Partial<OrderReturn>, number[]][])(
    'counts units %s',
    (_name, more, given, expected) => {
      const input = order({
        ...shipped,
        lines: [line('a', 5, more)],
        ...(given.id ? { returns: [given as OrderReturn] } : {}),
      });
      const [progress] = computeLineProgress(input);
      expect([progress?.toShip, progress?.returnable, countUnrefundedReturnedUnits(input, 0)]).toEqual(
        expected,
      );
    },
  );

  it('excludes CANCELLED once a shipment exists', () => {
    expect(allowedOrderTransitions({})).toBe(orderTransitions);
    expect(allowedOrderTransitions({ fulfilments: [] })).toBe(orderTransitions);
    expect(allowedOrderTransitions({ fulfilments: [shipment([])] })).toEqual({
      ...orderTransitions,
      PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED'],
      PROCESSING: ['SHIPPED', 'DELIVERED', 'REFUNDED'],
    });
  });
});

describe('a fulfilment', () => {
  const many = (count: number) => Array.from({ length: count }, () => shipment([]));
  it.each([
    ['of all remaining units', {}, undefined, units([0, 3], [1, 2])],
    ['of some units', {}, units([1, 1]), units([1, 1])],
    [
      'of the units remaining after a shipment',
      { fulfilments: [shipment(units([0, 3], [1, 1]))] },
      undefined,
      units([1, 1]),
    ],
    [
      'of too many units',
      {},
      units([1, 3]),
      ['lines.0.quantity TOO_BIG Only 2 of this line can be shipped.'],
    ],
    ['of an unknown line', {}, units([2, 1]), [`lines.0.line ${lineNotFoundError}`]],
    [
      'when no units remain',
      { fulfilments: [shipment(units([0, 3], [1, 2]))] },
      undefined,
      ['lines NOTHING_TO_SHIP All units of this order are already shipped or refunded.'],
    ],
    [
      'of a cancelled order',
      { statuses: ['CANCELLED'] },
      undefined,
      ['lines NOTHING_TO_SHIP An order in status CANCELLED cannot be shipped.'],
    ],
    [
      'of a refunded order',
      { statuses: ['REFUNDED'] },
      units([0, 1]),
      ['lines NOTHING_TO_SHIP An order in status REFUNDED cannot be shipped.'],
    ],
    ['number 200', { fulfilments: many(199) }, units([0, 1]), units([0, 1])],
    [
      'number 201',
      { fulfilments: many(200) },
      units([0, 1]),
      ['lines NOTHING_TO_SHIP An order has at most 200 shipments.'],
    ],
  ] as [string, OrderParts, OrderFulfilment['lines'] | undefined, unknown][])(
    '%s',
    (_name, parts, requested, expected) => {
      expect(outcome(() => planFulfilmentUnits(order(parts), requested))).toEqual(expected);
    },
  );

  const whole = units([0, 3], [1, 2]);
  it.each([
    ['an empty list', [], ['PENDING'], ['PENDING']],
    ['no list', undefined, ['PENDING'], ['PENDING']],
    ['some units', [shipment(units([0, 1]))], ['PENDING'], ['PENDING', 'PROCESSING']],
    ['all units', [shipment(whole)], ['PROCESSING'], ['PROCESSING', 'SHIPPED']],
    [
      'all units, delivered',
      [shipment(whole, { status: 'DELIVERED' })],
      ['SHIPPED'],
      ['SHIPPED', 'DELIVERED'],
    ],
    [
      'all units, partially delivered',
      [shipment(whole, { status: 'DELIVERED' }), shipment([])],
      ['PROCESSING'],
      ['PROCESSING', 'SHIPPED'],
    ],
    ['some units of an order that staff set to SHIPPED', [shipment(units([0, 1]))], ['SHIPPED'], ['SHIPPED']],
  ] as [string, OrderFulfilment[] | undefined, OrderStatus[], OrderStatus[]][])(
    'with %s determines the order status',
    (_name, fulfilments, statuses, next) => {
      const given = order({ fulfilments, statuses });
      const after = deriveStatusFromFulfilments(given, buildSystemStatusHistoryEntry);
      expect(statusesOf(after.statuses)).toEqual(next);
      if (next.length === statuses.length) expect(after).toBe(given);
    },
  );

  it('status is derived from new entries of the status history', () => {
    const statusFrom = (...statuses: OrderStatus[]) =>
      deriveFulfilmentStatus(statuses.map((status) => ({ status })));
    expect([
      statusFrom(),
      statusFrom('PROCESSING'),
      statusFrom('PROCESSING', 'SHIPPED'),
      statusFrom('SHIPPED', 'DELIVERED'),
    ]).toEqual([undefined, undefined, 'SHIPPED', 'DELIVERED']);
  });

  it('is created for the remaining units when staff set the order status', () => {
    const at = { id: 'last', time: 9 };
    const first = shipment(units([0, 1]));
    const arrived = { ...first, status: 'DELIVERED', deliveredAt: 9 };
    const last = shipment(units([1, 2]), { id: 'last', createdAt: 9 });
    const of = (
      rest: OrderFulfilment['lines'],
      status: OrderFulfilment['status'],
      fulfilments?: OrderFulfilment[],
    ) => shipOrDeliverWholeOrder(order({ fulfilments }), rest, status, at).fulfilments;
    expect(of([], 'SHIPPED')).toBeUndefined();
    expect(of([], 'SHIPPED', [first])).toEqual([first]);
    expect(of([], 'DELIVERED', [first])).toEqual([arrived]);
    expect(of(units([1, 2]), 'SHIPPED', [first])).toEqual([first, last]);
    expect(of(units([1, 2]), 'SHIPPED')).toEqual([last]);
    expect(of(units([1, 2]), 'DELIVERED', [first])).toEqual([
      arrived,
      { ...last, status: 'DELIVERED', deliveredAt: 9 },
    ]);
    const empty = order({ fulfilments: [] });
    expect(shipOrDeliverWholeOrder(empty, [], 'DELIVERED', at)).toBe(empty);
  });

  it('is delivered once, and keeps fields that are not sent', () => {
    const shipped = shipment([], {
      carrier: 'DHL',
      trackingNumber: '1',
      trackingUrl: 'https://dhl.example/1',
    });
    const deliveredShipment = { ...shipped, status: 'DELIVERED' as const, deliveredAt: 5 };
    expect(markFulfilmentDelivered(shipped, 5)).toEqual(deliveredShipment);
    expect(markFulfilmentDelivered(deliveredShipment, 6)).toBe(deliveredShipment);
    expect(updateFulfilmentFields(shipped, {}, 5)).toEqual(shipped);
    expect(updateFulfilmentFields(shipped, { status: 'SHIPPED' }, 5)).toEqual(shipped);
    expect(updateFulfilmentFields(shipped, { status: 'DELIVERED' }, 5)).toEqual(deliveredShipment);
    expect(updateFulfilmentFields(deliveredShipment, { carrier: 'UPS' }, 6)).toEqual({
      ...deliveredShipment,
      carrier: 'UPS',
    });
    expect(updateFulfilmentFields(shipped, { carrier: '', trackingNumber: '2', trackingUrl: '' }, 5)).toEqual(
      {
        ...shipped,
        carrier: undefined,
        trackingNumber: '2',
        trackingUrl: undefined,
      },
    );
    expect(updateFulfilmentFields(shipped, { trackingNumber: '' }, 5).trackingNumber).toBeUndefined();
    expect(updateFulfilmentFields(shipped, { trackingUrl: 'https://ups.example' }, 5).trackingUrl).toBe(
      'https://ups.example',
    );
    expect(outcome(() => updateFulfilmentFields(deliveredShipment, { status: 'SHIPPED' }, 6))).toEqual([
      'status INVALID_TRANSITION DELIVERED cannot become SHIPPED. Allowed: none, this status is final.',
    ]);
  });
});
