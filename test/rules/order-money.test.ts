/** Money rules of orders: totals, refunds, and the resulting statuses. */
import { describe, expect, it } from 'vitest';
import {
  allocateDiscountAndTax,
  type InputPriceTotals,
  resolveOrderTotals,
} from '../../src/domains/orders/manage/order-totals.ts';
import { derivePaymentStatus } from '../../src/domains/orders/payment/derive-payment-status.ts';
import {
  addRefundedUnits,
  addRestockedUnits,
  computeRefundValue,
  findNonRefundableUnitsError,
  listRefundableLines,
  planRefund,
  type RequestedRefund,
  revertRefundedUnits,
} from '../../src/domains/orders/refunds/refund-rules.ts';
import type { OrderStatus, PaymentStatus } from '../../src/domains/orders/status-transitions.ts';
import type { Refund, RefundedQuantityAtLineIndex } from '../../src/domains/payments/model.ts';
import { line, type OrderParts, order, outcome, statusesOf } from './setup.ts';

describe('totals in the input', () => {
  const lines = [{ totalPrice: 300 }, { totalPrice: 200 }];
  const current = { tax: 50, shipping: 30, discount: 20 };
  it.each([
    [{}, undefined, { subtotal: 500, tax: 0, shipping: 0, discount: 0, total: 500 }],
    [{}, current, { subtotal: 500, tax: 50, shipping: 30, discount: 20, total: 560 }],
    [
      { tax: 0, shipping: 0, discount: 0 },
      current,
      { subtotal: 500, tax: 0, shipping: 0, discount: 0, total: 500 },
    ],
    [
      { subtotal: 500, tax: 1, shipping: 2, discount: 500, total: 3 },
      current,
      { subtotal: 500, tax: 1, shipping: 2, discount: 500, total: 3 },
    ],
    [{ subtotal: 499 }, undefined, ['subtotal TOTAL_MISMATCH The lines add up to 500.']],
    [{ discount: 501 }, undefined, ['discount TOTAL_MISMATCH The discount exceeds the subtotal, 500.']],
    [{ total: 501 }, undefined, ['total TOTAL_MISMATCH Must be subtotal + tax + shipping - discount: 500.']],
    [
      { subtotal: 1, discount: 600, total: 1 },
      undefined,
      [
        'subtotal TOTAL_MISMATCH The lines add up to 500.',
        'discount TOTAL_MISMATCH The discount exceeds the subtotal, 500.',
        'total TOTAL_MISMATCH Must be subtotal + tax + shipping - discount: -100.',
      ],
    ],
    [{ tax: Number.MAX_SAFE_INTEGER }, undefined, ['total AMOUNT_TOO_LARGE The amount is too large.']],
  ] as [InputPriceTotals, typeof current | undefined, unknown][])(
    '%j with current %j resolve to %j',
    (input, currentTotals, expected) => {
      expect(outcome(() => resolveOrderTotals(lines, input, currentTotals))).toEqual(expected);
    },
  );

  it('are allocated to the lines, tax by the price after discount', () => {
    const shared = allocateDiscountAndTax(
      [line('a', 3), line('b', 1)],
      { discount: 300, tax: 11 },
      { currency: 'USD' },
    );
    expect(shared).toEqual([line('a', 3, { discount: 225, tax: 8 }), line('b', 1, { discount: 75, tax: 3 })]);
    // An indivisible minor unit goes to the variant with the smaller id, regardless of line order; its price after discount is 0, so it gets no tax.
    expect(
      allocateDiscountAndTax([line('b', 1), line('a', 1)], { discount: 199, tax: 7 }, { currency: 'USD' }),
    ).toEqual([line('b', 1, { discount: 99, tax: 7 }), line('a', 1, { discount: 100 })]);
  });
});

describe('a refund', () => {
  it('of an order without a captured payment is rejected', () => {
    expect(outcome(() => planRefund(order({ lines: [line('a', 1)], total: 100 }), {}, 0))).toEqual([
      'amount NOTHING_TO_REFUND No payment was captured for this order. Refund a payment made outside the gateway where it was made.',
    ]);
  });

  const paid = order({
    lines: [
      line('a', 3, { discount: 30, tax: 31, refunded: 1 }),
      line('b', 2, { refunded: 2 }),
      line('c', 1, { tax: 7 }),
    ],
    total: 1000,
    captured: 1000,
  });
  const lineMessage = 'Must be the index of a line of the order, each at most once.';
  it.each([
    [
      'of the entire refundable amount',
      {},
      400,
      {
        amount: 400,
        lines: [
          [0, 2, 'a'],
          [2, 1, 'c'],
        ],
      },
    ],
    ['of an amount', { amount: 400 }, 400, { amount: 400, lines: [] }],
    ['of the smallest amount', { amount: 1 }, 400, { amount: 1, lines: [] }],
    ['of units', { lines: [{ line: 0, quantity: 1 }] }, 400, { amount: 100, lines: [[0, 1, 'a']] }],
    [
      'of units for an amount, with restock',
      { amount: 5, lines: [{ line: 2, quantity: 1 }], restock: true },
      400,
      { amount: 5, lines: [[2, 1, 'c']] },
    ],
    [
      'above the refundable amount',
      { amount: 401 },
      400,
      ['amount REFUND_TOO_LARGE At most 400 can be refunded.'],
    ],
    ['of 0', { amount: 0 }, 400, ['amount TOO_SMALL Must be at least 1.']],
    [
      'when nothing is refundable',
      { amount: 1 },
      0,
      ['amount NOTHING_TO_REFUND The captured amount of this order is already refunded or being refunded.'],
    ],
    [
      'of an amount with restock but without units',
      { amount: 5, restock: true },
      400,
      ['lines LINES_REQUIRED Name the units to restock: an amount alone does not identify them.'],
    ],
    [
      'of too many units and of unknown lines, with field paths of the request',
      {
        lines: [
          { line: 0, quantity: 3 },
          { line: 3, quantity: 1 },
          { line: 0, quantity: 1 },
        ],
        named: { amount: 'of.amount', lines: 'of.lines' },
      },
      400,
      [
        'of.lines.0.quantity TOO_BIG Only 2 of this line can be refunded.',
        `of.lines.1.line LINE_NOT_FOUND ${lineMessage}`,
        `of.lines.2.line LINE_NOT_FOUND ${lineMessage}`,
      ],
    ],
    [
      'above the refundable amount, with the field path of the request',
      { amount: 500, named: { amount: 'of.amount', lines: 'of.lines' } },
      400,
      ['of.amount REFUND_TOO_LARGE At most 400 can be refunded.'],
    ],
  ] as [string, RequestedRefund, number, unknown][])('%s', (_name, spec, refundable, expected) => {
    const result = outcome(() => {
      const { amount, lines } = planRefund(paid, spec, refundable);
      return {
        amount,
        lines: lines.map(({ line: index, quantity, variantId }) => [index, quantity, variantId]),
      };
    });
    expect(result).toEqual(expected);
  });

  it('of the entire amount can restock all units', () => {
    expect(planRefund(paid, { restock: true }, 400)).toEqual({
      amount: 400,
      lines: listRefundableLines(paid),
    });
    expect(listRefundableLines(paid)).toEqual([
      { line: 0, quantity: 2, variantId: 'a' },
      { line: 2, quantity: 1, variantId: 'c' },
    ]);
  });

  it('of units is valued at their price, for at most the existing units', () => {
    expect(computeRefundValue(paid, [{ line: 0, quantity: 1 }])).toBe(100);
    expect(computeRefundValue(paid, [{ line: 0, quantity: 9 }])).toBe(201);
    expect(computeRefundValue(paid, [{ line: 9, quantity: 1 }])).toBe(0);
    expect(
      computeRefundValue(paid, [
        { line: 0, quantity: 2 },
        { line: 2, quantity: 1 },
      ]),
    ).toBe(308);
  });

  const failed: Refund = {
    id: 'refund',
    attemptId: 'attempt',
    paymentId: 'payment',
    amount: 100,
    currency: 'USD',
    status: 'FAILED',
    counts: true,
    lines: [{ line: 0, quantity: 2, variantId: 'a' }],
    restock: false,
    tries: 1,
    createdAt: 1,
  };
  it.each([
    ['of refundable units', {}, {}, true],
    ['without units', {}, { lines: [] }, true],
    ['of an unexpected payment', {}, { counts: false, lines: [{ line: 0, quantity: 3 }] }, true],
    ['whose units were refunded since', {}, { lines: [{ line: 0, quantity: 3, variantId: 'a' }] }, false],
    ['whose units were removed since', {}, { lines: [{ line: 5, quantity: 1, variantId: 'gone' }] }, false],
    [
      'whose units were refunded since, of a cancelled order',
      { statuses: ['PENDING', 'CANCELLED'] },
      { lines: [{ line: 0, quantity: 3, variantId: 'a' }] },
      true,
    ],
  ] as [string, OrderParts, Partial<Refund>, boolean][])(
    'retry of a refund %s',
    (_name, parts, more, isAllowed) => {
      const input = order({ lines: paid.lines, total: 1000, captured: 1000, ...parts });
      expect(findNonRefundableUnitsError(input, { ...failed, ...more })).toEqual(
        isAllowed
          ? undefined
          : {
              field: 'refundId',
              error: 'REFUND_TOO_LARGE',
              message: 'Units of this refund have been refunded or removed from the order since.',
            },
      );
    },
  );
});

describe('order lines', () => {
  const lines = [line('a', 3), line('b', 2, { refunded: 1, restocked: 1 })];
  const input = order({ lines });
  const units = (...items: RefundedQuantityAtLineIndex[]) => items;

  it('record refunded and restocked units', () => {
    expect(addRefundedUnits(input, units({ line: 0, quantity: 2 }), false)).toEqual([
      line('a', 3, { refunded: 2 }),
      lines[1],
    ]);
    expect(addRefundedUnits(input, units({ line: 0, quantity: 2 }, { line: 1, quantity: 1 }), true)).toEqual([
      line('a', 3, { refunded: 2, restocked: 2 }),
      line('b', 2, { refunded: 2, restocked: 2 }),
    ]);
    const broken = units({ line: 0, quantity: 1, restock: false }, { line: 1, quantity: 1, restock: true });
    expect(addRefundedUnits(input, broken, true)).toEqual([
      line('a', 3, { refunded: 1 }),
      line('b', 2, { refunded: 2, restocked: 2 }),
    ]);
    expect(addRefundedUnits(input, units({ line: 1, quantity: 5 }), true)[1]).toEqual(
      line('b', 2, { refunded: 2, restocked: 2 }),
    );
    expect(addRefundedUnits(input, [], true)).toEqual(lines);
  });

  it('record units restocked without refund, and revert failed refunds', () => {
    expect(addRestockedUnits(input, units({ line: 0, quantity: 2 }))).toEqual([
      line('a', 3, { restocked: 2 }),
      lines[1],
    ]);
    expect(addRestockedUnits(input, units({ line: 1, quantity: 4 }))[1]).toEqual(
      line('b', 2, { refunded: 1, restocked: 2 }),
    );
    expect(revertRefundedUnits(input, units({ line: 1, quantity: 1 }))).toEqual([
      lines[0],
      line('b', 2, { refunded: 0, restocked: 1 }),
    ]);
    expect(revertRefundedUnits(input, units({ line: 0, quantity: 1 }))[0]).toEqual(
      line('a', 3, { refunded: 0 }),
    );
  });

  it('are matched by variant id even if their index changed', () => {
    const moved = order({ lines: [line('b', 2), line('a', 3), line('a', 4)] });
    const refundedOf = (...items: RefundedQuantityAtLineIndex[]) =>
      addRefundedUnits(moved, items, false).map(({ refunded = 0 }) => refunded);
    expect(refundedOf({ line: 0, quantity: 1, variantId: 'a' })).toEqual([0, 1, 0]);
    expect(refundedOf({ line: 2, quantity: 1, variantId: 'a' })).toEqual([0, 0, 1]);
    expect(refundedOf({ line: 0, quantity: 1 })).toEqual([1, 0, 0]);
    expect(refundedOf({ line: 9, quantity: 1, variantId: 'b' })).toEqual([1, 0, 0]);
    expect(refundedOf({ line: 0, quantity: 1, variantId: 'gone' })).toEqual([0, 0, 0]);
  });
});

describe('captured and refunded amounts', () => {
  it('of a free order leave it open', () => {
    const free = order({ statuses: ['PROCESSING'], payment: ['PAID'], total: 0 });
    const after = derivePaymentStatus(free, { captured: 500, refunded: 500, credited: 0 });
    expect([statusesOf(after.statuses), statusesOf(after.paymentStatus)]).toEqual([
      ['PROCESSING'],
      ['PAID', 'REFUNDED'],
    ]);
  });

  it.each([
    ['no payment', ['PENDING'], ['PENDING'], 0, 0, 0, ['PENDING'], ['PENDING']],
    ['captured', ['PROCESSING'], ['PAID'], 0, 500, 0, ['PROCESSING'], ['PAID']],
    ['partial refund', ['PROCESSING'], ['PAID'], 0, 500, 499, ['PROCESSING'], ['PAID', 'PARTIALLY_REFUNDED']],
    ['full refund', ['PROCESSING'], ['PAID'], 0, 500, 500, ['PROCESSING', 'REFUNDED'], ['PAID', 'REFUNDED']],
    ['refund of CANCELLED', ['CANCELLED'], ['PAID'], 0, 500, 500, ['CANCELLED'], ['PAID', 'REFUNDED']],
    [
      'payment after a full refund',
      ['SHIPPED'],
      ['REFUNDED'],
      500,
      900,
      500,
      ['SHIPPED'],
      ['REFUNDED', 'PARTIALLY_REFUNDED'],
    ],
    ['REFUNDED without refund', ['SHIPPED'], ['REFUNDED'], 0, 500, 0, ['SHIPPED'], ['REFUNDED']],
    [
      'refund failed later',
      ['SHIPPED'],
      ['PAID', 'PARTIALLY_REFUNDED'],
      100,
      500,
      0,
      ['SHIPPED'],
      ['PAID', 'PARTIALLY_REFUNDED', 'PAID'],
    ],
    [
      'one refund failed later',
      ['SHIPPED'],
      ['REFUNDED'],
      500,
      500,
      1,
      ['SHIPPED'],
      ['REFUNDED', 'PARTIALLY_REFUNDED'],
    ],
    ['refund failed while PAID', ['SHIPPED'], ['PAID'], 100, 500, 0, ['SHIPPED'], ['PAID']],
    ['part of a refund failed while PAID', ['SHIPPED'], ['PAID'], 100, 500, 50, ['SHIPPED'], ['PAID']],
    ['nothing was captured', ['SHIPPED'], ['REFUNDED'], 100, 0, 0, ['SHIPPED'], ['REFUNDED']],
  ] as [string, OrderStatus[], PaymentStatus[], number, number, number, OrderStatus[], PaymentStatus[]][])(
    '%s',
    (_name, statuses, payment, before, captured, refunded, next, nextPayment) => {
      const orderBefore = order({ statuses, payment, refunded: before });
      const after = derivePaymentStatus(orderBefore, { captured, refunded, credited: refunded });
      expect([after.captured, after.refunded, after.credited]).toEqual([captured, refunded, refunded]);
      expect(statusesOf(after.statuses)).toEqual(next);
      expect(statusesOf(after.paymentStatus)).toEqual(nextPayment);
    },
  );
});
