/** Rules of shipping: what became of the units of an order, what may be shipped, and the status that follows. */
import { describe, expect, it } from 'vitest';
import {
  allowedOrderTransitions,
  computeLineProgress,
  unitsToShip,
  withLineProgress,
} from '../../src/domains/orders/fulfilment/line-progress.ts';
import { lineUnitErrors, unitsOfLine } from '../../src/domains/orders/fulfilment/line-units.ts';
import {
  fulfilRemaining,
  markDelivered,
  planFulfilment,
  requestedFulfilmentStatus,
  updateFulfilmentFields,
  withFulfilmentStatus,
} from '../../src/domains/orders/fulfilment/rules.ts';
import type { Fulfilment } from '../../src/domains/orders/model.ts';
import { type OrderStatus, orderTransitions } from '../../src/domains/orders/status-transitions.ts';
import { stampAsSystem } from '../../src/domains/shared/status-history.ts';
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

it('counts the units of a line, and refuses what is not there', () => {
  expect([0, 1, 2].map((at) => unitsOfLine(units([0, 2], [1, 1], [0, 3]), at))).toEqual([5, 1, 0]);
  const faults = lineUnitErrors(units([0, 2], [1, 2], [7, 1], [0, 1]), [2, 1], 'shipped', 'items');
  expect(faults.map(({ field, error, message }) => `${field} ${error} ${message}`)).toEqual([
    'items.1.quantity TOO_BIG Only 1 of this line can be shipped.',
    `items.2.line ${lineNotFoundError}`,
    `items.3.line ${lineNotFoundError}`,
  ]);
  expect(lineUnitErrors(units([0, 1]), [0], 'returned')[0]?.field).toBe('lines.0.quantity');
});

describe('progress', () => {
  /** Of a line of five: shipped, returned, to ship, returnable. */
  it.each([
    ['nothing yet', {}, 0, [0, 0, 5, 0]],
    ['a part is shipped', { fulfilments: [shipment(units([0, 2]))] }, 0, [2, 0, 3, 2]],
    ['two parts are', { fulfilments: [shipment(units([0, 2])), shipment(units([0, 1]))] }, 0, [3, 0, 2, 3]],
    ['more than there is', { fulfilments: [shipment(units([0, 9]))] }, 0, [5, 0, 0, 5]],
    ['shipped, as orders were before there were fulfilments', { statuses: ['SHIPPED'] }, 0, [5, 0, 0, 5]],
    ['delivered, the same', { statuses: ['PENDING', 'SHIPPED', 'DELIVERED'] }, 0, [5, 0, 0, 5]],
    ['shipped by its status alone', { statuses: ['SHIPPED'], fulfilments: [] }, 0, [0, 0, 5, 0]],
    ['some refunded before it was shipped', {}, 2, [0, 0, 3, 0]],
    ['more refunded than are unshipped', { fulfilments: [shipment(units([0, 4]))] }, 3, [4, 0, 0, 2]],
    [
      'wished back',
      { fulfilments: [shipment(units([0, 4]))], returns: [orderReturn(units([0, 1]))] },
      0,
      [4, 0, 1, 3],
    ],
    [
      'taken back',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 1]), { status: 'ACCEPTED' })],
      },
      0,
      [4, 1, 1, 3],
    ],
    [
      'taken back for money',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 1]), { status: 'ACCEPTED', refundedAt: 0 })],
      },
      1,
      [4, 1, 1, 3],
    ],
    [
      'taken back for no money, others refunded',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 1]), { status: 'ACCEPTED' })],
      },
      1,
      [4, 1, 0, 3],
    ],
    [
      'refused and withdrawn',
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
      'returned for more money than is counted',
      {
        fulfilments: [shipment(units([0, 4]))],
        returns: [orderReturn(units([0, 2]), { status: 'ACCEPTED', refundedAt: 9 })],
      },
      1,
      [4, 2, 1, 2],
    ],
    [
      'all of it wished back twice',
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
    expect(unitsToShip(given)).toEqual(toShip ? units([0, toShip]) : []);
    expect(withLineProgress(given)).toEqual([{ ...given.lines[0], progress: computeLineProgress(given)[0] }]);
  });

  it('keeps an order from being cancelled once a part has left', () => {
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
    ['of all that is left', {}, undefined, units([0, 3], [1, 2])],
    ['of a part', {}, units([1, 1]), units([1, 1])],
    [
      'of what is left after a part',
      { fulfilments: [shipment(units([0, 3], [1, 1]))] },
      undefined,
      units([1, 1]),
    ],
    ['of too much', {}, units([1, 3]), ['lines.0.quantity TOO_BIG Only 2 of this line can be shipped.']],
    ['of nothing that is there', {}, units([2, 1]), [`lines.0.line ${lineNotFoundError}`]],
    [
      'when nothing is left',
      { fulfilments: [shipment(units([0, 3], [1, 2]))] },
      undefined,
      ['lines NOTHING_TO_SHIP Nothing is left to ship.'],
    ],
    [
      'of what was cancelled',
      { statuses: ['CANCELLED'] },
      undefined,
      ['lines NOTHING_TO_SHIP An order that is CANCELLED is not shipped.'],
    ],
    [
      'of what was refunded',
      { statuses: ['REFUNDED'] },
      units([0, 1]),
      ['lines NOTHING_TO_SHIP An order that is REFUNDED is not shipped.'],
    ],
    ['number 200', { fulfilments: many(199) }, units([0, 1]), units([0, 1])],
    [
      'number 201',
      { fulfilments: many(200) },
      units([0, 1]),
      ['lines NOTHING_TO_SHIP An order is shipped in at most 200 parts.'],
    ],
  ] as [string, OrderParts, Fulfilment['lines'] | undefined, unknown][])(
    '%s',
    (_name, parts, wanted, made) => {
      expect(outcome(() => planFulfilment(order(parts), wanted))).toEqual(made);
    },
  );

  const whole = units([0, 3], [1, 2]);
  it.each([
    ['without any', [], ['PENDING'], ['PENDING']],
    ['that nobody wrote down', undefined, ['PENDING'], ['PENDING']],
    ['of a part', [shipment(units([0, 1]))], ['PENDING'], ['PENDING', 'PROCESSING']],
    ['of all', [shipment(whole)], ['PROCESSING'], ['PROCESSING', 'SHIPPED']],
    ['of all, arrived', [shipment(whole, { status: 'DELIVERED' })], ['SHIPPED'], ['SHIPPED', 'DELIVERED']],
    [
      'of all, arrived in part',
      [shipment(whole, { status: 'DELIVERED' }), shipment([])],
      ['PROCESSING'],
      ['PROCESSING', 'SHIPPED'],
    ],
    ['of a part, when staff say shipped', [shipment(units([0, 1]))], ['SHIPPED'], ['SHIPPED']],
  ] as [string, Fulfilment[] | undefined, OrderStatus[], OrderStatus[]][])(
    '%s leads to the status of its order',
    (_name, fulfilments, statuses, next) => {
      const given = order({ fulfilments, statuses });
      const after = withFulfilmentStatus(given, stampAsSystem);
      expect(statusesOf(after.statuses)).toEqual(next);
      if (next.length === statuses.length) expect(after).toBe(given);
    },
  );

  it('is told from new entries of the history', () => {
    const told = (...statuses: OrderStatus[]) =>
      requestedFulfilmentStatus(statuses.map((status) => ({ status })));
    expect([told(), told('PROCESSING'), told('PROCESSING', 'SHIPPED'), told('SHIPPED', 'DELIVERED')]).toEqual(
      [undefined, undefined, 'SHIPPED', 'DELIVERED'],
    );
  });

  it('is made of the rest when staff say so of the whole order', () => {
    const at = { id: 'last', time: 9 };
    const first = shipment(units([0, 1]));
    const arrived = { ...first, status: 'DELIVERED', deliveredAt: 9 };
    const last = shipment(units([1, 2]), { id: 'last', createdAt: 9 });
    const of = (rest: Fulfilment['lines'], status: Fulfilment['status'], fulfilments?: Fulfilment[]) =>
      fulfilRemaining(order({ fulfilments }), rest, status, at).fulfilments;
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
    expect(fulfilRemaining(empty, [], 'DELIVERED', at)).toBe(empty);
  });

  it('arrives once, and keeps what is not said anew', () => {
    const sent = shipment([], { carrier: 'DHL', trackingNumber: '1', trackingUrl: 'https://dhl.example/1' });
    const there = { ...sent, status: 'DELIVERED' as const, deliveredAt: 5 };
    expect(markDelivered(sent, 5)).toEqual(there);
    expect(markDelivered(there, 6)).toBe(there);
    expect(updateFulfilmentFields(sent, {}, 5)).toEqual(sent);
    expect(updateFulfilmentFields(sent, { status: 'SHIPPED' }, 5)).toEqual(sent);
    expect(updateFulfilmentFields(sent, { status: 'DELIVERED' }, 5)).toEqual(there);
    expect(updateFulfilmentFields(there, { carrier: 'UPS' }, 6)).toEqual({ ...there, carrier: 'UPS' });
    expect(updateFulfilmentFields(sent, { carrier: '', trackingNumber: '2', trackingUrl: '' }, 5)).toEqual({
      ...sent,
      carrier: undefined,
      trackingNumber: '2',
      trackingUrl: undefined,
    });
    expect(updateFulfilmentFields(sent, { trackingNumber: '' }, 5).trackingNumber).toBeUndefined();
    expect(updateFulfilmentFields(sent, { trackingUrl: 'https://ups.example' }, 5).trackingUrl).toBe(
      'https://ups.example',
    );
    expect(outcome(() => updateFulfilmentFields(there, { status: 'SHIPPED' }, 6))).toEqual([
      'status INVALID_TRANSITION DELIVERED cannot become SHIPPED. Allowed: none, this status is final.',
    ]);
  });
});
