/** State machines of payment attempts and refunds: every state with every event. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitRefundOverPayments } from '../../src/domains/payments/load-and-split-payment-totals.ts';
import { paymentAttemptStates, refundStatuses } from '../../src/domains/payments/model.ts';
import {
  type PaymentAttemptEvent,
  transitionPaymentAttempt,
} from '../../src/domains/payments/payment-attempt-state-machine.ts';
import { computeNextRefundStatus } from '../../src/domains/payments/schedule-submit-and-load-refunds.ts';

const paid = (more: Partial<PaymentAttemptEvent & { type: 'paid' }> = {}): PaymentAttemptEvent => ({
  type: 'paid',
  paymentId: 'pay_1',
  amount: 1000,
  currency: 'USD',
  ...more,
});

const events = {
  paid: paid(),
  secondPayment: paid({ paymentId: 'pay_2' }),
  wrongAmount: paid({ amount: 999 }),
  wrongCurrency: paid({ currency: 'EUR' }),
  processing: { type: 'processing' },
  declined: { type: 'failed', isFinal: false },
  failed: { type: 'failed', isFinal: true },
  expired: { type: 'expired' },
  closed: { type: 'closed' },
} satisfies Record<string, PaymentAttemptEvent>;

/** `STATE effect` for each event, in the order above. PAID and RETURNED attempts were paid by pay_1. */
const table: Record<(typeof paymentAttemptStates)[number], string[]> = {
  NEW: [
    'PAID accept',
    'PAID accept',
    'RETURNED return',
    'RETURNED return',
    'PROCESSING suspend',
    'NEW fail',
    'CLOSED fail',
    'CLOSED expire',
    'CLOSED close',
  ],
  OPEN: [
    'PAID accept',
    'PAID accept',
    'RETURNED return',
    'RETURNED return',
    'PROCESSING suspend',
    'OPEN fail',
    'CLOSED fail',
    'CLOSED expire',
    'CLOSED close',
  ],
  PROCESSING: [
    'PAID accept',
    'PAID accept',
    'RETURNED return',
    'RETURNED return',
    'PROCESSING none',
    'CLOSED fail',
    'CLOSED fail',
    'PROCESSING none',
    'CLOSED close',
  ],
  PAID: [
    'PAID none',
    'PAID return',
    'PAID none',
    'PAID none',
    'PAID none',
    'PAID none',
    'PAID none',
    'PAID none',
    'PAID none',
  ],
  RETURNED: [
    'RETURNED none',
    'RETURNED return',
    'RETURNED none',
    'RETURNED none',
    'RETURNED none',
    'RETURNED none',
    'RETURNED none',
    'RETURNED none',
    'RETURNED none',
  ],
  CLOSED: [
    'RETURNED late',
    'RETURNED late',
    'RETURNED return',
    'RETURNED return',
    'CLOSED none',
    'CLOSED none',
    'CLOSED none',
    'CLOSED none',
    'CLOSED none',
  ],
};

describe('an attempt', () => {
  it.each(paymentAttemptStates)('that is %s', (state) => {
    const paymentId = state === 'PAID' || state === 'RETURNED' ? 'pay_1' : undefined;
    const attempt = { state, amount: 1000, currency: 'USD', paymentId };
    const outcomes = Object.values(events).map((event) => {
      const { state: next, effect } = transitionPaymentAttempt(attempt, event);
      return `${next} ${effect}`;
    });
    expect(outcomes).toEqual(table[state]);
  });

  it.each([
    ['PAID', events.secondPayment, 'Paid twice'],
    ['OPEN', events.wrongAmount, 'Wrong amount'],
    ['CLOSED', events.wrongCurrency, 'Wrong amount'],
    ['CLOSED', events.paid, 'Paid too late'],
    ['OPEN', events.paid, undefined],
  ] as const)('that is %s returns the refund reason', (state, event, reason) => {
    const attempt = { state, amount: 1000, currency: 'USD', paymentId: 'pay_1' };
    expect(transitionPaymentAttempt(attempt, event).reason).toBe(reason);
  });

  it('accepts or refunds every payment once, for any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(events)), { maxLength: 30 }), (sequence) => {
        let attempt: Parameters<typeof transitionPaymentAttempt>[0] = {
          state: 'OPEN',
          amount: 1000,
          currency: 'USD',
        };
        const [accepted, returned] = [new Set<string>(), new Set<string>()];
        for (const event of sequence) {
          const { state, effect } = transitionPaymentAttempt(attempt, event);
          if (event.type === 'paid' && effect !== 'none')
            (effect === 'accept' ? accepted : returned).add(event.paymentId);
          const isFirstPayment = event.type === 'paid' && state !== attempt.state;
          attempt = { ...attempt, state, ...(isFirstPayment ? { paymentId: event.paymentId } : {}) };
        }
        expect(accepted.size).toBeLessThanOrEqual(1);
        expect([...accepted].filter((id) => returned.has(id))).toEqual([]);
        const paidIds = new Set(
          sequence.flatMap((event) => (event.type === 'paid' ? [event.paymentId] : [])),
        );
        expect(new Set([...accepted, ...returned])).toEqual(paidIds);
      }),
    );
  });
});

describe('a refund', () => {
  it.each([
    ['PENDING', ['PENDING', 'SUCCEEDED', 'FAILED']],
    ['SUCCEEDED', ['SUCCEEDED', 'SUCCEEDED', 'FAILED']],
    ['FAILED', ['FAILED', 'FAILED', 'FAILED']],
  ] as const)('that is %s changes by the provider status pending, succeeded, failed', (status, next) => {
    expect(
      (['pending', 'succeeded', 'failed'] as const).map((providerStatus) =>
        computeNextRefundStatus(status, providerStatus),
      ),
    ).toEqual(next);
    expect(refundStatuses).toContain(status);
  });

  it('is split over the payments, never more than the refundable amount of each', () => {
    const payment = fc
      .tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000))
      .map(([left, refunded, pending]) => ({
        attemptId: 'attempt',
        paymentId: 'pay',
        currency: 'USD',
        captured: left + refunded + pending,
        refunded,
        pending,
        credited: refunded,
        pendingCredit: pending,
      }));
    fc.assert(
      fc.property(
        fc.array(payment, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (payments, share) => {
          const refundable = payments.reduce(
            (sum, { captured, refunded, pending }) => sum + captured - refunded - pending,
            0,
          );
          const amount = Math.floor(refundable * share);
          const parts = splitRefundOverPayments(payments, amount);
          expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
          for (const { payment: source, amount: part } of parts)
            expect(part).toBeLessThanOrEqual(source.captured - source.refunded - source.pending);
        },
      ),
    );
  });
});
