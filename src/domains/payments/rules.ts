/** What becomes of an attempt to pay when something happens to it. Events come in any order, doubled and late: one outcome. Pure. */
import type { PaymentAttempt, PaymentAttemptState } from './model.ts';

export type AttemptEvent =
  | { type: 'paid'; paymentId: string; amount: number; currency: string }
  | { type: 'processing' }
  /** Final: the page cannot be tried again. */
  | { type: 'failed'; isFinal: boolean }
  /** The provider closed the page. */
  | { type: 'expired' }
  /** We closed it: what it asks for is no longer what is due. */
  | { type: 'closed' };

/**
 * `accept`: the money is what was asked for. `return`: it fits nothing and goes back. `late`: it came after the page was closed.
 * `suspend`: wait for the money. `fail`: a try failed. `expire`: nobody paid in time. `close`: the page is to be closed at the provider.
 */
export type AttemptEffect = 'accept' | 'return' | 'late' | 'suspend' | 'fail' | 'expire' | 'close' | 'none';

export interface AttemptTransition {
  state: PaymentAttemptState;
  effect: AttemptEffect;
  /** Why money goes back. */
  reason?: string;
}

type Tried = Pick<PaymentAttempt, 'state' | 'amount' | 'currency' | 'paymentId'>;

const isLive = (state: PaymentAttemptState) => state === 'NEW' || state === 'OPEN' || state === 'PROCESSING';

export function transitionAttempt(attempt: Tried, event: AttemptEvent): AttemptTransition {
  const { state } = attempt;
  const nothing: AttemptTransition = { state, effect: 'none' };
  switch (event.type) {
    case 'paid':
      return paid(attempt, event);
    case 'processing':
      return state === 'NEW' || state === 'OPEN' ? { state: 'PROCESSING', effect: 'suspend' } : nothing;
    case 'failed':
      if (!isLive(state)) return nothing;
      return event.isFinal || state === 'PROCESSING'
        ? { state: 'CLOSED', effect: 'fail' }
        : { state, effect: 'fail' };
    case 'expired':
      return state === 'NEW' || state === 'OPEN' ? { state: 'CLOSED', effect: 'expire' } : nothing;
    case 'closed':
      return isLive(state) ? { state: 'CLOSED', effect: 'close' } : nothing;
  }
}

function paid(
  attempt: Tried,
  { paymentId, amount, currency }: AttemptEvent & { type: 'paid' },
): AttemptTransition {
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
