/** Rules of an order's money: what is due, what adds up, what may go back, and what its statuses make of it. */
import { describe, expect, it } from 'vitest';
import { type InputTotals, resolveTotals, withLineShares } from '../../src/domains/orders/manage/totals.ts';
import { amountDue } from '../../src/domains/orders/payment/amount-due.ts';
import { derivePaymentStatus } from '../../src/domains/orders/payment/derive-payment-status.ts';
import {
  computeRefundValue,
  markLinesRefunded,
  markLinesRestocked,
  planRefund,
  type RefundSpec,
  refundableLines,
  retryRefundError,
  unmarkLinesRefunded,
} from '../../src/domains/orders/refunds/rules.ts';
import type { OrderStatus, PaymentStatus } from '../../src/domains/orders/status-transitions.ts';
import type { Refund, RefundLine } from '../../src/domains/payments/model.ts';
import { line, order, outcome, statusesOf } from './setup.ts';

describe('what is due', () => {
  it.each([
    ['of a new order', 'PENDING', 'PENDING', 0, 0, 500],
    ['after a payment that failed', 'PENDING', 'FAILED', 0, 0, 500],
    ['of what was paid in part', 'PENDING', 'PENDING', 200, 0, 300],
    ['of what was paid', 'PROCESSING', 'PAID', 500, 0, 0],
    ['of what was paid and became cheaper', 'PROCESSING', 'PAID', 600, 0, -100],
    ['of what was paid, less what went back', 'PROCESSING', 'PARTIALLY_REFUNDED', 600, 150, 50],
    ['of what was paid elsewhere', 'PROCESSING', 'PAID', 0, 0, 0],
    ['of what was cancelled', 'CANCELLED', 'PENDING', 0, 0, 0],
    ['of what was refunded', 'REFUNDED', 'PAID', 400, 0, 0],
  ] as [string, OrderStatus, PaymentStatus, number, number, number][])(
    '%s',
    (_name, status, payment, captured, refunded, due) => {
      const given = order({ statuses: ['PENDING', status], payment: [payment], captured, refunded });
      expect(amountDue(given)).toBe(due);
    },
  );
});

describe('totals that are sent', () => {
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
    [{ total: 501 }, undefined, ['total TOTAL_MISMATCH Subtotal, tax, shipping and discount make 500.']],
    [
      { subtotal: 1, discount: 600, total: 1 },
      undefined,
      [
        'subtotal TOTAL_MISMATCH The lines add up to 500.',
        'discount TOTAL_MISMATCH The discount exceeds the subtotal, 500.',
        'total TOTAL_MISMATCH Subtotal, tax, shipping and discount make -100.',
      ],
    ],
    [{ tax: Number.MAX_SAFE_INTEGER }, undefined, ['total AMOUNT_TOO_LARGE The amount is too large.']],
  ] as [InputTotals, typeof current | undefined, unknown][])(
    '%j beside %j make %j',
    (sent, known, expected) => {
      expect(outcome(() => resolveTotals(lines, sent, known))).toEqual(expected);
    },
  );

  it('are shared out to the lines, tax by what is left after the discount', () => {
    const shared = withLineShares([line('a', 3), line('b', 1)], { discount: 300, tax: 11 });
    expect(shared).toEqual([line('a', 3, { discount: 225, tax: 8 }), line('b', 1, { discount: 75, tax: 3 })]);
    // A cent that cannot be halved goes to the variant that comes first, wherever its line stands; nothing is left there to tax.
    expect(withLineShares([line('b', 1), line('a', 1)], { discount: 199, tax: 7 })).toEqual([
      line('b', 1, { discount: 99, tax: 7 }),
      line('a', 1, { discount: 100 }),
    ]);
  });
});

describe('a refund', () => {
  it('of what was paid elsewhere goes back there', () => {
    expect(outcome(() => planRefund(order({ lines: [line('a', 1)], total: 100 }), {}, 0))).toEqual([
      'amount NOTHING_TO_REFUND The payment provider has taken nothing for this order: what was paid elsewhere goes back there.',
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
  const found = 'Name each line of the order once.';
  it.each([
    [
      'of all that is left',
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
      'of units for an amount, back to stock',
      { amount: 5, lines: [{ line: 2, quantity: 1 }], restock: true },
      400,
      { amount: 5, lines: [[2, 1, 'c']] },
    ],
    ['of too much', { amount: 401 }, 400, ['amount REFUND_TOO_LARGE At most 400 can go back.']],
    ['of nothing', { amount: 0 }, 400, ['amount TOO_SMALL Must be at least 1.']],
    [
      'when nothing is left',
      { amount: 1 },
      0,
      ['amount NOTHING_TO_REFUND Nothing is left of what the payment provider has taken for this order.'],
    ],
    [
      'of an amount back to stock, without units',
      { amount: 5, restock: true },
      400,
      ['lines LINES_REQUIRED Say which units go back to stock: an amount alone does not tell.'],
    ],
    [
      'of more units than are left, and of none such, under the names of the caller',
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
        `of.lines.1.line LINE_NOT_FOUND ${found}`,
        `of.lines.2.line LINE_NOT_FOUND ${found}`,
      ],
    ],
    [
      'of too much, under the name of the caller',
      { amount: 500, named: { amount: 'of.amount', lines: 'of.lines' } },
      400,
      ['of.amount REFUND_TOO_LARGE At most 400 can go back.'],
    ],
  ] as [string, RefundSpec, number, unknown][])('%s', (_name, wish, refundable, expected) => {
    const made = outcome(() => {
      const { amount, lines } = planRefund(paid, wish, refundable);
      return { amount, lines: lines.map((one) => [one.line, one.quantity, one.variantId]) };
    });
    expect(made).toEqual(expected);
  });

  it('may ask for all that is left back to stock', () => {
    expect(planRefund(paid, { restock: true }, 400)).toEqual({ amount: 400, lines: refundableLines(paid) });
    expect(refundableLines(paid)).toEqual([
      { line: 0, quantity: 2, variantId: 'a' },
      { line: 2, quantity: 1, variantId: 'c' },
    ]);
  });

  it('of units counts what they cost, and no more of them than there are', () => {
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
    ['that failed', {}, 100, undefined],
    ['of no units', { lines: [] }, 100, undefined],
    ['that waits', { status: 'PENDING' }, 100, ['REFUND_NOT_FAILED', 'This refund is PENDING.']],
    ['for which nothing is left', {}, 99, ['REFUND_TOO_LARGE', 'At most 99 can go back.']],
    ['of money that fits nothing', { counts: false }, 0, undefined],
    [
      'whose units went since',
      { lines: [{ line: 0, quantity: 3, variantId: 'a' }] },
      100,
      ['REFUND_TOO_LARGE', 'Units of this refund were refunded meanwhile.'],
    ],
  ] as [string, Partial<Refund>, number, [string, string] | undefined][])(
    '%s is tried again, or not',
    (_name, more, refundable, fault) => {
      expect(retryRefundError(paid, { ...failed, ...more }, refundable)).toEqual(
        fault && { field: 'refundId', error: fault[0], message: fault[1] },
      );
    },
  );
});

describe('lines', () => {
  const lines = [line('a', 3), line('b', 2, { refunded: 1, restocked: 1 })];
  const given = order({ lines });
  const units = (...items: RefundLine[]) => items;

  it('know what was refunded and restocked of them', () => {
    expect(markLinesRefunded(given, units({ line: 0, quantity: 2 }), false)).toEqual([
      line('a', 3, { refunded: 2 }),
      lines[1],
    ]);
    expect(markLinesRefunded(given, units({ line: 0, quantity: 2 }, { line: 1, quantity: 1 }), true)).toEqual(
      [line('a', 3, { refunded: 2, restocked: 2 }), line('b', 2, { refunded: 2, restocked: 2 })],
    );
    const broken = units({ line: 0, quantity: 1, restock: false }, { line: 1, quantity: 1, restock: true });
    expect(markLinesRefunded(given, broken, true)).toEqual([
      line('a', 3, { refunded: 1 }),
      line('b', 2, { refunded: 2, restocked: 2 }),
    ]);
    expect(markLinesRefunded(given, units({ line: 1, quantity: 5 }), true)[1]).toEqual(
      line('b', 2, { refunded: 2, restocked: 2 }),
    );
    expect(markLinesRefunded(given, [], true)).toEqual(lines);
  });

  it('know what came back for no money, and what money did not go', () => {
    expect(markLinesRestocked(given, units({ line: 0, quantity: 2 }))).toEqual([
      line('a', 3, { restocked: 2 }),
      lines[1],
    ]);
    expect(markLinesRestocked(given, units({ line: 1, quantity: 4 }))[1]).toEqual(
      line('b', 2, { refunded: 1, restocked: 2 }),
    );
    expect(unmarkLinesRefunded(given, units({ line: 1, quantity: 1 }))).toEqual([
      lines[0],
      line('b', 2, { refunded: 0, restocked: 1 }),
    ]);
    expect(unmarkLinesRefunded(given, units({ line: 0, quantity: 1 }))[0]).toEqual(
      line('a', 3, { refunded: 0 }),
    );
  });

  it('are known by what they sell, wherever they stand by now', () => {
    const moved = order({ lines: [line('b', 2), line('a', 3), line('a', 4)] });
    const refundedOf = (...items: RefundLine[]) =>
      markLinesRefunded(moved, items, false).map(({ refunded = 0 }) => refunded);
    expect(refundedOf({ line: 0, quantity: 1, variantId: 'a' })).toEqual([0, 1, 0]);
    expect(refundedOf({ line: 2, quantity: 1, variantId: 'a' })).toEqual([0, 0, 1]);
    expect(refundedOf({ line: 0, quantity: 1 })).toEqual([1, 0, 0]);
    expect(refundedOf({ line: 9, quantity: 1, variantId: 'b' })).toEqual([1, 0, 0]);
    expect(refundedOf({ line: 0, quantity: 1, variantId: 'gone' })).toEqual([0, 0, 0]);
  });
});

describe('money that moved', () => {
  it.each([
    ['none', ['PENDING'], ['PENDING'], 0, 0, 0, ['PENDING'], ['PENDING']],
    ['taken', ['PROCESSING'], ['PAID'], 0, 500, 0, ['PROCESSING'], ['PAID']],
    ['some went back', ['PROCESSING'], ['PAID'], 0, 500, 499, ['PROCESSING'], ['PAID', 'PARTIALLY_REFUNDED']],
    [
      'all went back',
      ['PROCESSING'],
      ['PAID'],
      0,
      500,
      500,
      ['PROCESSING', 'REFUNDED'],
      ['PAID', 'REFUNDED'],
    ],
    [
      'all went back of what was cancelled',
      ['CANCELLED'],
      ['PAID'],
      0,
      500,
      500,
      ['CANCELLED'],
      ['PAID', 'REFUNDED'],
    ],
    ['nothing went back', ['SHIPPED'], ['REFUNDED'], 0, 500, 0, ['SHIPPED'], ['REFUNDED']],
    [
      'a refund failed after all',
      ['SHIPPED'],
      ['PAID', 'PARTIALLY_REFUNDED'],
      100,
      500,
      0,
      ['SHIPPED'],
      ['PAID', 'PARTIALLY_REFUNDED', 'PAID'],
    ],
    [
      'one of two refunds failed after all',
      ['SHIPPED'],
      ['REFUNDED'],
      500,
      500,
      1,
      ['SHIPPED'],
      ['REFUNDED', 'PARTIALLY_REFUNDED'],
    ],
    ['a refund failed that nobody counted', ['SHIPPED'], ['PAID'], 100, 500, 0, ['SHIPPED'], ['PAID']],
    [
      'part of a refund failed that nobody counted',
      ['SHIPPED'],
      ['PAID'],
      100,
      500,
      50,
      ['SHIPPED'],
      ['PAID'],
    ],
    ['nothing was ever taken', ['SHIPPED'], ['REFUNDED'], 100, 0, 0, ['SHIPPED'], ['REFUNDED']],
  ] as [string, OrderStatus[], PaymentStatus[], number, number, number, OrderStatus[], PaymentStatus[]][])(
    '%s',
    (_name, statuses, payment, before, captured, refunded, next, nextPayment) => {
      const after = derivePaymentStatus(order({ statuses, payment, refunded: before }), {
        captured,
        refunded,
      });
      expect([after.captured, after.refunded]).toEqual([captured, refunded]);
      expect(statusesOf(after.statuses)).toEqual(next);
      expect(statusesOf(after.paymentStatus)).toEqual(nextPayment);
    },
  );
});
