/** Rules of returns, and stock movements of order lines. */
import { describe, expect, it } from 'vitest';
import {
  buildReleaseStockMoves,
  buildRestockMoves,
  buildStockMovesBetween,
  setTakenUnits,
} from '../../src/domains/orders/manage/line-stock-moves.ts';
import type { OrderReturn } from '../../src/domains/orders/model.ts';
import {
  assertSameReturnAcceptance,
  assertUnitsReturnable,
  needsReturnStatusChange,
  planReturnAcceptance,
  planReturnUnits,
  type ReturnAcceptance,
  setReturnRefundedAt,
} from '../../src/domains/orders/returns/return-rules.ts';
import type { StockMove } from '../../src/domains/products/stock/move-stock.ts';
import { line, type OrderParts, order, orderReturn, outcome, shipment, units } from './setup.ts';

describe('a return', () => {
  const shipped: OrderParts = { fulfilments: [shipment(units([0, 3], [1, 1]))] };
  const many = (count: number) =>
    Array.from({ length: count }, () => orderReturn([], { status: 'WITHDRAWN' }));

  it('accepts only shipped units, and at most 100 returns per order', () => {
    expect(planReturnUnits(order(shipped), units([0, 3], [1, 1]))).toEqual(units([0, 3], [1, 1]));
    expect(outcome(() => planReturnUnits(order(shipped), units([1, 2])))).toEqual([
      'lines.0.quantity TOO_BIG Only 1 of this line can be returned.',
    ]);
    expect(planReturnUnits(order({ ...shipped, returns: many(99) }), units([0, 1]))).toEqual(units([0, 1]));
    expect(outcome(() => planReturnUnits(order({ ...shipped, returns: many(100) }), units([0, 1])))).toEqual([
      'lines TOO_BIG An order has at most 100 returns.',
    ]);
  });

  it('limits the total size of requests, which leaves space for decisions', () => {
    const long = (reason: string, count: number) =>
      Array.from({ length: count }, () => ({
        ...orderReturn([], { status: 'REFUSED' }),
        reason,
        refusal: reason,
      }));
    const planWith = (returns: OrderParts['returns'], reason?: string) =>
      outcome(() => planReturnUnits(order({ ...shipped, returns }), units([0, 1]), reason));
    const full = ['lines TOO_LONG Lines and reasons of all returns of an order are limited to 150000 bytes.'];
    expect(planWith(long('x'.repeat(1000), 99), 'x'.repeat(1000))).toEqual(units([0, 1]));
    expect(planWith(long('\u6c34'.repeat(1000), 49), '\u6c34'.repeat(1000))).toEqual(full);
    expect(planWith(long('\u6c34'.repeat(1000), 51))).toEqual(full);
    const withdrawnReturns = (count: number) => {
      const lines = units(...Array.from({ length: count }, (): [number, number] => [0, 1]));
      return [orderReturn(lines, { status: 'WITHDRAWN' })];
    };
    expect(planWith(withdrawnReturns(6000))).toEqual(units([0, 1]));
    expect(planWith(withdrawnReturns(8000))).toEqual(full);
  });

  it('is rejected for units that were returned otherwise since', () => {
    const returnRequest = orderReturn(units([0, 3]));
    const other = orderReturn(units([0, 1]), { id: 'other' });
    expect(
      outcome(() => assertUnitsReturnable(order({ ...shipped, returns: [returnRequest] }), returnRequest)),
    ).toBeUndefined();
    expect(outcome(() => assertUnitsReturnable(order(shipped), returnRequest))).toBeUndefined();
    expect(
      outcome(() =>
        assertUnitsReturnable(order({ ...shipped, returns: [returnRequest, other] }), returnRequest),
      ),
    ).toEqual(['return.lines.0.quantity TOO_BIG Only 2 of this line can be returned.']);
  });

  it.each([
    ['REQUESTED', 'REQUESTED', false],
    ['REQUESTED', 'ACCEPTED', true],
    ['ACCEPTED', 'ACCEPTED', false],
    [
      'REFUSED',
      'ACCEPTED',
      ['returnId INVALID_TRANSITION REFUSED cannot become ACCEPTED. Allowed: none, this status is final.'],
    ],
  ] as [OrderReturn['status'], OrderReturn['status'], unknown][])(
    'in status %s set to %s: %s',
    (before, requested, expected) => {
      expect(outcome(() => needsReturnStatusChange(orderReturn([], { status: before }), requested))).toEqual(
        expected,
      );
    },
  );

  it('is accepted and restocked per line', () => {
    const returnRequest = orderReturn(units([0, 1], [1, 2]));
    const restocked = (how: ReturnAcceptance) => outcome(() => planReturnAcceptance(returnRequest, how));
    const both = (first: boolean, second: boolean) => [
      { line: 0, quantity: 1, accepted: 1, restock: first },
      { line: 1, quantity: 2, accepted: 2, restock: second },
    ];
    expect(restocked({})).toEqual(both(true, true));
    expect(restocked({ restock: false })).toEqual(both(false, false));
    expect(restocked({ lines: [{ line: 1, restock: false }] })).toEqual(both(true, false));
    expect(restocked({ restock: false, lines: [{ line: 0, restock: true }] })).toEqual(both(true, false));
    const wrong = [0, 2, 0].map((at) => ({ line: at, restock: true }));
    expect(restocked({ lines: wrong })).toEqual([
      'lines.1.line LINE_NOT_FOUND Must be the index of a line of the return, each at most once.',
      'lines.2.line LINE_NOT_FOUND Must be the index of a line of the return, each at most once.',
    ]);
    expect(restocked({ lines: [{ line: 0, quantity: 0 }], refusal: 'Worn' })).toEqual([
      { line: 0, quantity: 1, accepted: 0, restock: undefined },
      { line: 1, quantity: 2, accepted: 2, restock: true },
    ]);
    expect(restocked({ lines: [{ line: 1, quantity: 2 }] })).toEqual(both(true, true));
    expect(restocked({ lines: [{ line: 1, quantity: 3 }] })).toEqual([
      'lines.0.quantity TOO_BIG Only 2 of this line were requested to be returned.',
    ]);
    expect(restocked({ lines: [{ line: 1, quantity: 1 }] })).toEqual([
      'refusal REQUIRED A reason for refusing the remaining units is required.',
    ]);
    expect(restocked({ refusal: 'Worn' })).toEqual([
      'refusal INVALID_VALUE Must be absent when all units are accepted.',
    ]);
    const nothing = [0, 1].map((at) => ({ line: at, quantity: 0 }));
    expect(restocked({ lines: nothing, refusal: 'Worn' })).toEqual([
      'lines TOO_SMALL No unit would be accepted: use refuseReturn instead.',
    ]);
  });

  it('cannot be accepted again for other units', () => {
    const acceptedReturn = orderReturn([
      { line: 0, quantity: 3, accepted: 2 },
      { line: 1, quantity: 1 },
    ]);
    const again = (...accepted: number[]) =>
      outcome(() =>
        assertSameReturnAcceptance(
          acceptedReturn,
          accepted.map((units, line) => ({ line, quantity: 3, accepted: units })),
        ),
      );
    const final = [
      'lines INVALID_TRANSITION This return was already accepted for other units; that decision is final.',
    ];
    expect(again(2, 1)).toBeUndefined();
    expect([again(3, 1), again(2, 0), again(2), again()]).toEqual([final, final, final, final]);
  });

  it('stores when its refund was confirmed', () => {
    const mine = orderReturn([], { refundIds: ['r1', 'r2'] });
    const others = [orderReturn([], { refundIds: ['r3'] }), orderReturn([])];
    const confirmed = { refundedAt: 5, isRestocked: false };
    expect(setReturnRefundedAt(undefined, 'r1', confirmed)).toBeUndefined();
    expect(setReturnRefundedAt([mine, ...others], 'r1', confirmed)).toEqual([
      { ...mine, refundedAt: 5 },
      ...others,
    ]);
    expect(setReturnRefundedAt([mine, ...others], 'r2', confirmed)).toEqual([mine, ...others]);
    const failed = { refundedAt: undefined, isRestocked: false };
    expect(setReturnRefundedAt([{ ...mine, refundedAt: 5 }], 'r1', failed)).toEqual([mine]);
    const restocked = setReturnRefundedAt([mine], 'r1', { refundedAt: 5, isRestocked: true });
    expect(restocked).toEqual([{ ...mine, refundedAt: 5, restockedAt: 5 }]);
    expect(setReturnRefundedAt(restocked, 'r1', failed)).toEqual([{ ...mine, restockedAt: 5 }]);
  });
});

describe('stock moves', () => {
  const describeMoves = (moves: readonly StockMove[]) =>
    moves.map(({ productId, variantId, delta, field }) => `${productId} ${variantId} ${delta} ${field}`);

  it('release the units that lines still hold', () => {
    const lines = [line('a', 3), line('b', 5, { taken: 2 }), line('c', 4, { restocked: 1 })];
    expect(
      describeMoves(buildReleaseStockMoves([...lines, line('d', 4, { taken: 1, restocked: 3 })])),
    ).toEqual(['product a 3 lines.0', 'product b 2 lines.1', 'product c 3 lines.2', 'product d 0 lines.3']);
  });

  it('return the units that were restocked since', () => {
    const before = [line('a', 3, { restocked: 1 }), line('b', 3)];
    const after = [line('a', 3, { restocked: 3 }), line('b', 3, { taken: 1, restocked: 2 }), line('c', 1)];
    expect(describeMoves(buildRestockMoves(before, after))).toEqual([
      'product a 2 lines.0',
      'product b 1 lines.1',
      'product c 0 lines.2',
    ]);
  });

  it('cover the difference between old and new lines', () => {
    const moves = (before: ReturnType<typeof line>[], after: ReturnType<typeof line>[]) =>
      describeMoves(buildStockMovesBetween(before, after, 'items'));
    expect(moves([line('a', 2)], [line('a', 2)])).toEqual([]);
    expect(moves([], [line('a', 2)])).toEqual(['product a -2 items.0']);
    expect(moves([line('a', 2)], [line('b', 1), line('a', 3)])).toEqual([
      'product b -1 items.0',
      'product a -3 items.1',
      'product a 2 items',
    ]);
    expect(moves([line('a', 5)], [line('a', 2)])).toEqual(['product a 3 items']);
    expect(moves([line('a', 5, { taken: 1 })], [])).toEqual(['product a 1 items']);
    expect(moves([line('a', 2), line('a', 3)], [line('a', 4)])).toEqual(['product a 1 items']);
    expect(describeMoves(buildStockMovesBetween([], [line('a', 1)]))).toEqual(['product a -1 lines.0']);
  });

  it('set the taken units of the new lines', () => {
    const taken = (before: ReturnType<typeof line>[], after: ReturnType<typeof line>[], ...moved: string[]) =>
      setTakenUnits(before, after, new Set(moved)).map(({ taken: units }) => units);
    expect(taken([], [line('a', 2)], 'a')).toEqual([2]);
    expect(taken([], [line('a', 2)])).toEqual([0]);
    expect(taken([line('a', 2, { taken: 1 })], [line('a', 4)])).toEqual([1]);
    expect(taken([line('a', 2, { taken: 1 })], [line('a', 4)], 'a')).toEqual([3]);
    expect(taken([line('a', 5)], [line('a', 2)])).toEqual([2]);
    expect(taken([line('a', 5, { taken: 1 })], [line('a', 2)])).toEqual([0]);
    expect(taken([line('a', 5)], [line('a', 2), line('a', 2)])).toEqual([2, 2]);
    expect(taken([line('a', 3)], [line('a', 2), line('a', 2)], 'b')).toEqual([2, 1]);
    expect(setTakenUnits([], [line('a', 1)], new Set(['a']))).toEqual([line('a', 1, { taken: 1 })]);
  });
});
