/** Amount due of orders, credits of refunds, and orders that need no payment. */
import { describe, expect, it } from 'vitest';
import { computeAmountDue, computeOverpaidAmount } from '../../src/domains/orders/payment/amount-due.ts';
import { markFreeOrderPaid } from '../../src/domains/orders/payment/free-order-rules.ts';
import { computeRefundCredit, type RefundPlan } from '../../src/domains/orders/refunds/refund-rules.ts';
import type { OrderStatus, PaymentStatus } from '../../src/domains/orders/status-transitions.ts';
import { type OrderParts, order, statusesOf } from './setup.ts';

describe('the amount due', () => {
  it.each([
    ['of a new order', 'PENDING', 'PENDING', 0, 0, undefined, 500],
    ['after a failed payment', 'PENDING', 'FAILED', 0, 0, undefined, 500],
    ['of a partially paid order', 'PENDING', 'PENDING', 200, 0, 0, 300],
    ['of a paid order', 'PROCESSING', 'PAID', 500, 0, 0, 0],
    ['of a paid order whose total decreased', 'PROCESSING', 'PAID', 600, 0, 0, -100],
    ['after a refund of that overpayment', 'PROCESSING', 'PARTIALLY_REFUNDED', 600, 100, 0, 0],
    ['after a refund that is a credit', 'PROCESSING', 'PARTIALLY_REFUNDED', 500, 150, 150, 0],
    ['after a refund of both', 'PROCESSING', 'PARTIALLY_REFUNDED', 600, 150, 50, 0],
    ['after a refund, of a total that increased since', 'PROCESSING', 'PARTIALLY_REFUNDED', 400, 100, 0, 200],
    ['of an older order with a refund', 'PROCESSING', 'PARTIALLY_REFUNDED', 500, 150, undefined, 0],
    ['of an older order with a refunded overpayment', 'SHIPPED', 'PAID', 600, 150, undefined, 0],
    ['of an older order that is overpaid', 'SHIPPED', 'PAID', 600, 40, undefined, -60],
    ['of an order recorded as paid outside the gateway', 'PROCESSING', 'PAID', 0, 0, undefined, 0],
    ['of a cancelled order', 'CANCELLED', 'PENDING', 0, 0, undefined, 0],
    ['of a cancelled order that is overpaid', 'CANCELLED', 'PAID', 600, 0, 0, -100],
    ['of a refunded order', 'REFUNDED', 'PAID', 400, 0, 0, 0],
    ['of a refunded order whose total decreased since', 'REFUNDED', 'REFUNDED', 700, 700, 700, 0],
    ['of a cancelled order that keeps less than the overpayment', 'CANCELLED', 'PAID', 700, 650, 600, -50],
    ['of an order with more credits than its total', 'SHIPPED', 'PARTIALLY_REFUNDED', 700, 650, 650, -50],
  ] as [string, OrderStatus, PaymentStatus, number, number, number | undefined, number][])(
    '%s',
    (_name, status, payment, captured, refunded, credited, due) => {
      const statuses: OrderStatus[] = ['PENDING', status];
      const input = order({ statuses, payment: [payment], captured, refunded, credited });
      expect(computeAmountDue(input)).toBe(due);
    },
  );

  it('is overpaid by what was captured above the total, without credits and pending refunds', () => {
    const totals = {
      captured: 900,
      refunded: 200,
      pending: 100,
      credited: 50,
      pendingCredit: 30,
      payments: [],
    };
    expect(computeOverpaidAmount({ total: 500 }, totals)).toBe(180);
    expect(computeOverpaidAmount({ total: 700 }, totals)).toBe(0);
    const returned = { id: 'r', status: 'ACCEPTED' as const, lines: [], createdAt: 1 };
    const returns = [{ ...returned, credit: 70 }, returned];
    expect(computeOverpaidAmount({ total: 700, returns }, totals)).toBe(50);
    expect(computeAmountDue({ ...order({ captured: 200 }), returns })).toBe(230);
    // Nothing was paid, so nothing can be overpaid.
    expect(computeAmountDue({ ...order({ total: 50 }), returns })).toBe(0);
  });

  it.each([
    ['of goodwill', { amount: 100, lines: [] }, 0, 100],
    ['of an overpayment', { amount: 100, lines: [] }, 100, 0],
    ['of more than the overpayment', { amount: 100, lines: [] }, 30, 70],
    ['of units of an overpaid order', { amount: 200, lines: [{ line: 0, quantity: 2 }] }, 50, 200],
    ['of units and the overpayment', { amount: 260, lines: [{ line: 0, quantity: 2 }] }, 50, 210],
    ['of less than the price of its units', { amount: 5, lines: [{ line: 0, quantity: 2 }] }, 50, 5],
  ] as [string, RefundPlan, number, number][])(
    'has a credit for a refund %s',
    (_name, plan, overpaid, credit) => {
      expect(computeRefundCredit(order(), plan, overpaid)).toBe(credit);
    },
  );
});

describe('a free order', () => {
  it.each([
    ['begun as PAID', { paymentMethod: 'CREDIT_CARD', payment: ['PAID'] }, 500],
    ['with the method FREE', { paymentMethod: 'FREE', payment: ['PENDING', 'PAID'] }, 500],
    ['paid since', { paymentMethod: 'FREE', payment: ['PAID'], captured: 500 }, 0],
    ['recorded as paid by staff', { paymentMethod: 'CREDIT_CARD', payment: ['PENDING', 'PAID'] }, 0],
    ['created by staff as PAID', { payment: ['PAID'] }, 0],
  ] as [string, OrderParts, number][])('%s owes what staff add', (_name, parts, due) => {
    expect(computeAmountDue(order(parts))).toBe(due);
  });

  it.each([
    ['of an unpaid checkout', {}, true],
    ['after a failed payment', { payment: ['PENDING', 'FAILED'] }, true],
    ['of a total above 0', { total: 1 }, false],
    ['of an order without expiry', { expiresAt: undefined }, false],
    ['of a captured payment', { captured: 5 }, false],
    ['of a paid order', { payment: ['PAID'] }, false],
    ['of a shipped order', { statuses: ['SHIPPED'] }, false],
  ] as [string, OrderParts, boolean][])('%s counts as paid', (_name, parts, isSettled) => {
    const input = order({ total: 0, expiresAt: 9, paymentMethod: 'CREDIT_CARD', ...parts });
    const settled = markFreeOrderPaid(input);
    expect(settled === input).toBe(!isSettled);
    if (!isSettled) return;
    expect([settled.paymentMethod, settled.expiresAt]).toEqual(['FREE', undefined]);
    expect(statusesOf(settled.statuses).at(-1)).toBe('PROCESSING');
    expect(statusesOf(settled.paymentStatus).at(-1)).toBe('PAID');
  });
});
