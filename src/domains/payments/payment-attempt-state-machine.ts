/** State machine of payment attempts. Duplicate, late and reordered events lead to the same result. Pure. */
import type { PaymentAttempt, PaymentAttemptState } from './model.ts';

export type PaymentAttemptEvent =
  | { type: 'paid'; paymentId: string; amount: number; currency: string }
  | { type: 'processing' }
  /** `isFinal`: the session does not allow another attempt. */
  | { type: 'failed'; isFinal: boolean }
  /** The provider closed the session. */
  | { type: 'expired' }
  /** The gateway closed it: the amount due has changed. */
  | { type: 'closed' };

/**
 * `accept`: paid with the correct amount. `return`: refund an unmatched payment. `late`: refund a payment after the session was closed.
 * `suspend`: wait for the bank transfer. `fail`: a payment failed. `expire`: not paid in time. `close`: expire the session at the provider.
 */
type PaymentAttemptEffect = 'accept' | 'return' | 'late' | 'suspend' | 'fail' | 'expire' | 'close' | 'none';

export interface PaymentAttemptTransition {
  state: PaymentAttemptState;
  effect: PaymentAttemptEffect;
  /** Reason of a refund. */
  reason?: string;
}

type AttemptSnapshot = Pick<PaymentAttempt, 'state' | 'amount' | 'currency' | 'paymentId'>;

const isOpen = (state: PaymentAttemptState) => state === 'NEW' || state === 'OPEN' || state === 'PROCESSING';

export function transitionPaymentAttempt(
  attempt: AttemptSnapshot,
  event: PaymentAttemptEvent,
): PaymentAttemptTransition {
  const { state } = attempt;
  const unchanged: PaymentAttemptTransition = { state, effect: 'none' };
  switch (event.type) {
    case 'paid':
      return paid(attempt, event);
    case 'processing':
      return state === 'NEW' || state === 'OPEN' ? { state: 'PROCESSING', effect: 'suspend' } : unchanged;
    case 'failed':
      if (!isOpen(state)) return unchanged;
      return event.isFinal || state === 'PROCESSING'
        ? { state: 'CLOSED', effect: 'fail' }
        : { state, effect: 'fail' };
    case 'expired':
      return state === 'NEW' || state === 'OPEN' ? { state: 'CLOSED', effect: 'expire' } : unchanged;
    case 'closed':
      return isOpen(state) ? { state: 'CLOSED', effect: 'close' } : unchanged;
  }
}

function paid(
  attempt: AttemptSnapshot,
  { paymentId, amount, currency }: PaymentAttemptEvent & { type: 'paid' },
): PaymentAttemptTransition {
  const { state } = attempt;
  if (state === 'PAID' || state === 'RETURNED') {
    return attempt.paymentId === paymentId
      ? { state, effect: 'none' }
      : { state, effect: 'return', reason: 'Paid twice' };
  }
  if (amount !== attempt.amount || currency !== attempt.currency)
    return { state: 'RETURNED', effect: 'return', reason: 'Wrong amount' };
  return state === 'CLOSED'
    ? { state: 'RETURNED', effect: 'late', reason: 'Paid too late' }
    : { state: 'PAID', effect: 'accept' };
}
