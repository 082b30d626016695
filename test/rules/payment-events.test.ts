/** Webhook events of the payments and refunds of an order. Pure. */
import { expect, it } from 'vitest';
import { buildOrderEvents } from '../../src/domains/orders/build-events.ts';
import { type OrderParts, order } from './setup.ts';

const unpaid: OrderParts = { paymentMethod: 'CREDIT_CARD' };
const paid: OrderParts = { ...unpaid, payment: ['PENDING', 'PAID'], captured: 500 };
const free: OrderParts = { paymentMethod: 'FREE', payment: ['PAID'] };
const refundedInPart = (refunded: number): OrderParts => ({
  ...paid,
  payment: ['PENDING', 'PAID', 'PARTIALLY_REFUNDED'],
  refunded,
});

it.each([
  ['the first payment', unpaid, paid, ['payment.paid', 500]],
  ['a payment for goods that staff added', paid, { ...paid, captured: 800 }, ['payment.paid', 300]],
  ['a payment for goods added to a free order', free, { ...free, captured: 300 }, ['payment.paid', 300]],
  [
    'a payment after an overpayment was returned in full',
    { ...paid, payment: ['PENDING', 'PAID', 'REFUNDED'], refunded: 500 },
    { ...refundedInPart(500), captured: 700 },
    ['payment.paid', 200],
  ],
  [
    'a payment that staff recorded',
    unpaid,
    { ...unpaid, payment: ['PENDING', 'PAID'] },
    ['payment.paid', 500],
  ],
  ['a refund', paid, refundedInPart(100), ['payment.refunded', 100]],
  ['a further refund', refundedInPart(100), refundedInPart(150), ['payment.refunded', 50]],
] as [string, OrderParts, OrderParts, [string, number]][])('emits %s', (_name, before, after, expected) => {
  const payments = buildOrderEvents(order(before), order(after), 'sandbox').filter(({ type }) =>
    type.startsWith('payment.'),
  );
  expect(payments.map(({ type, data }) => [type, 'amount' in data && data.amount])).toEqual([expected]);
});

it('emits nothing for a refund that failed after it had succeeded', () => {
  expect(buildOrderEvents(order(refundedInPart(100)), order(paid), 'sandbox')).toEqual([]);
});
