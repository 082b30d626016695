/** Audit rules of one order: shares of the discount, and money of ended orders. */
import { expect, it } from 'vitest';
import {
  findOrderAmountProblems,
  findOrderPaymentProblems,
} from '../../src/domains/orders/audit/find-order-amount-problems.ts';
import { findMissingRefundProblems } from '../../src/domains/orders/audit/find-order-refund-problems.ts';
import type { OrderStatusEntry } from '../../src/domains/orders/model.ts';
import type { Refund } from '../../src/domains/payments/model.ts';
import { line, type OrderParts, order } from './setup.ts';

it.each([
  ['in proportion to the prices', 'USD', 50, [30, 20], []],
  ['rounded to one unit', 'USD', 1, [0, 1], []],
  ['rounded to a payable amount', 'KWD', 10, [0, 10], []],
  [
    'on the wrong lines',
    'USD',
    50,
    [20, 30],
    [
      'discount 20 of a line, but its share of the discount is 30 before rounding',
      'discount 30 of a line, but its share of the discount is 20 before rounding',
    ],
  ],
] as [string, string, number, [number, number], string[]][])(
  'a discount %s',
  (_name, currency, discount, [first, second], problems) => {
    const lines = [line('a', 3, { discount: first }), line('b', 2, { discount: second })];
    expect(findOrderAmountProblems(order({ currency, discount, lines }))).toEqual(problems);
  },
);

const refund: Refund = {
  ...{ id: 'r', attemptId: 'a', paymentId: 'p', amount: 200, currency: 'USD', counts: true, lines: [] },
  ...{ status: 'FAILED', restock: false, tries: 0, createdAt: 1 },
};

const unreturned = (status: string, amount: number) => [
  `is ${status}, but ${amount} is neither refunded nor part of a refund`,
];

it.each([
  ['cancelled with a refund', 'CANCELLED', { refundsPayment: true }, [], unreturned('CANCELLED', 400)],
  ['that expired', 'CANCELLED', { changedBy: 'SYSTEM' }, [], unreturned('CANCELLED', 400)],
  ['refunded in full', 'REFUNDED', { changedBy: 'SYSTEM' }, [], unreturned('REFUNDED', 400)],
  ['whose refund failed', 'REFUNDED', { changedBy: 'SYSTEM' }, [refund], unreturned('REFUNDED', 200)],
  [
    'with a refund of an unmatched payment',
    'CANCELLED',
    { changedBy: 'SYSTEM' },
    [{ ...refund, counts: false }],
    unreturned('CANCELLED', 400),
  ],
  ['cancelled by staff without a refund', 'CANCELLED', {}, [], []],
  ['that staff mark as refunded', 'REFUNDED', {}, [], []],
  ['that is open', 'PROCESSING', { changedBy: 'SYSTEM' }, [], []],
] as [string, OrderStatusEntry['status'], Partial<OrderStatusEntry>, Refund[], string[]][])(
  'money of an order %s',
  (_name, status, entry, refunds, problems) => {
    const last: OrderStatusEntry = { id: 'x', status, changedBy: 'USER', timestamp: 1, ...entry };
    const input = order({ captured: 500, refunded: 100 });
    expect(findMissingRefundProblems({ ...input, statuses: [...input.statuses, last] }, refunds)).toEqual(
      problems,
    );
  },
);

it.each([
  ['by the gateway', { paymentMethod: 'CREDIT_CARD', payment: ['PENDING', 'PAID'] }, 1],
  ['by its payment', { paymentMethod: 'CREDIT_CARD', payment: ['PENDING', 'PAID'], captured: 500 }, 0],
  ['as a free order to which staff added goods', { paymentMethod: 'FREE', payment: ['PAID'] }, 0],
] as [string, OrderParts, number][])('an order that is PAID %s', (_name, parts, problems) => {
  expect(findOrderPaymentProblems(order(parts), [])).toHaveLength(problems);
});
