/** The state machine of payment attempts and of refunds, state by state and event by event. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paymentAttemptStates, refundStatuses } from '../../src/domains/payments/model.ts';
import { splitRefundOverPayments } from '../../src/domains/payments/payment-totals.ts';
import { transitionRefundStatus } from '../../src/domains/payments/refunds.ts';
import { type AttemptEvent, transitionAttempt } from '../../src/domains/payments/rules.ts';

const paid = (more: Partial<AttemptEvent & { type: 'paid' }> = {}): AttemptEvent => ({
  type: 'paid',
  paymentId: 'pay_1',
  amount: 1000,
  currency: 'USD',
  ...more,
});

const events = {
  paid: paid(),
  again: paid({ paymentId: 'pay_2' }),
  less: paid({ amount: 999 }),
  euros: paid({ currency: 'EUR' }),
  processing: { type: 'processing' },
  declined: { type: 'failed', isFinal: false },
  failed: { type: 'failed', isFinal: true },
  expired: { type: 'expired' },
  closed: { type: 'closed' },
} satisfies Record<string, AttemptEvent>;

/** `STATE effect` for each event, in the order above. An attempt that has seen money has seen pay_1. */
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
      const { state: next, effect } = transitionAttempt(attempt, event);
      return `${next} ${effect}`;
    });
    expect(outcomes).toEqual(table[state]);
  });

  it.each([
    ['PAID', events.again, 'Paid twice'],
    ['OPEN', events.less, 'Wrong amount'],
    ['CLOSED', events.euros, 'Wrong amount'],
    ['CLOSED', events.paid, 'Paid too late'],
    ['OPEN', events.paid, undefined],
  ] as const)('that is %s says why money goes back', (state, event, reason) => {
    const attempt = { state, amount: 1000, currency: 'USD', paymentId: 'pay_1' };
    expect(transitionAttempt(attempt, event).reason).toBe(reason);
  });

  it('keeps or returns every payment once, whatever else happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(events)), { maxLength: 30 }), (happened) => {
        let attempt: Parameters<typeof transitionAttempt>[0] = {
          state: 'OPEN',
          amount: 1000,
          currency: 'USD',
        };
        const [kept, returned] = [new Set<string>(), new Set<string>()];
        for (const event of happened) {
          const { state, effect } = transitionAttempt(attempt, event);
          if (event.type === 'paid' && effect !== 'none')
            (effect === 'accept' ? kept : returned).add(event.paymentId);
          const isFirstMoney = event.type === 'paid' && state !== attempt.state;
          attempt = { ...attempt, state, ...(isFirstMoney ? { paymentId: event.paymentId } : {}) };
        }
        expect(kept.size).toBeLessThanOrEqual(1);
        expect([...kept].filter((id) => returned.has(id))).toEqual([]);
        const told = new Set(happened.flatMap((event) => (event.type === 'paid' ? [event.paymentId] : [])));
        expect(new Set([...kept, ...returned])).toEqual(told);
      }),
    );
  });
});

describe('a refund', () => {
  it.each([
    ['PENDING', ['PENDING', 'SUCCEEDED', 'FAILED']],
    ['SUCCEEDED', ['SUCCEEDED', 'SUCCEEDED', 'FAILED']],
    ['FAILED', ['FAILED', 'FAILED', 'FAILED']],
  ] as const)('that is %s becomes, when the provider says pending, succeeded, failed', (status, next) => {
    expect(
      (['pending', 'succeeded', 'failed'] as const).map((said) => transitionRefundStatus(status, said)),
    ).toEqual(next);
    expect(refundStatuses).toContain(status);
  });

  it('goes back through the payments it came by, never more than each has left', () => {
    const payment = fc
      .tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000))
      .map(([left, refunded, pending]) => ({
        attemptId: 'attempt',
        paymentId: 'pay',
        currency: 'USD',
        captured: left + refunded + pending,
        refunded,
        pending,
      }));
    fc.assert(
      fc.property(
        fc.array(payment, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (payments, share) => {
          const left = payments.reduce(
            (sum, { captured, refunded, pending }) => sum + captured - refunded - pending,
            0,
          );
          const amount = Math.floor(left * share);
          const parts = splitRefundOverPayments(payments, amount);
          expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
          for (const { payment: of, amount: part } of parts)
            expect(part).toBeLessThanOrEqual(of.captured - of.refunded - of.pending);
        },
      ),
    );
  });
});
