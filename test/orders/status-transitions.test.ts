/** Allowed status transitions of orders and payments. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currentStatus,
  type OrderStatus,
  orderStatuses,
  orderTransitions,
  type PaymentStatus,
  paymentStatuses,
  paymentTransitions,
  transitionStatus,
} from '../../src/domains/orders/status-transitions.ts';
import { buildSystemStatusHistoryEntry } from '../../src/domains/shared/status-history.ts';
import { AppError } from '../../src/errors.ts';

const orderTable: Record<OrderStatus, OrderStatus[]> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
  CANCELLED: [],
  REFUNDED: [],
};
const paymentTable: Record<PaymentStatus, PaymentStatus[]> = {
  PENDING: ['PAID', 'FAILED'],
  FAILED: ['PENDING', 'PAID'],
  PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['REFUNDED'],
  REFUNDED: [],
};

function outcome<Status extends string>(
  from: Status,
  to: Status,
  transitions: Readonly<Record<Status, readonly Status[]>>,
) {
  const start = [buildSystemStatusHistoryEntry({ status: from })];
  try {
    return transitionStatus(start, [{ status: to }], transitions, buildSystemStatusHistoryEntry, 'status')
      .length;
  } catch (error) {
    return error instanceof AppError ? error.details[0]?.error : error;
  }
}

describe('every pair of statuses', () => {
  it.each(orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const)))(
    'order: %s to %s',
    (from, to) => {
      const expected = from === to ? 1 : orderTable[from].includes(to) ? 2 : 'INVALID_TRANSITION';
      expect(outcome(from, to, orderTransitions)).toBe(expected);
    },
  );
  it.each(paymentStatuses.flatMap((from) => paymentStatuses.map((to) => [from, to] as const)))(
    'payment: %s to %s',
    (from, to) => {
      const expected = from === to ? 1 : paymentTable[from].includes(to) ? 2 : 'INVALID_TRANSITION';
      expect(outcome(from, to, paymentTransitions)).toBe(expected);
    },
  );
});

it('a status history never leaves a final status and only grows', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...orderStatuses), { maxLength: 30 }), (requested) => {
      let history = [buildSystemStatusHistoryEntry<OrderStatus>({ status: 'PENDING' })];
      for (const status of requested) {
        const before = history;
        try {
          history = transitionStatus(
            history,
            [{ status }],
            orderTransitions,
            buildSystemStatusHistoryEntry,
            'status',
          );
        } catch {
          // Rejected: the history is unchanged.
        }
        expect(history.slice(0, before.length)).toEqual(before);
        const last = currentStatus(before);
        if (last === 'CANCELLED' || last === 'REFUNDED') expect(history).toEqual(before);
      }
    }),
  );
});
