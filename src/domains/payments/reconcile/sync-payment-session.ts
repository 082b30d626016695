/** Reads the state of a payment session from the provider instead of waiting for its events, and applies it like an event. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent, PaymentSessionState } from '../../../ports/payments.ts';
import type { PaymentAttempt } from '../model.ts';
import { applyPaymentEvent } from '../receive-payment-event.ts';
import { findAttemptSession, storeFoundSession } from './find-attempt-session.ts';

const eventTypes = {
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
} as const satisfies Record<Exclude<PaymentSessionState['state'], 'open'>, PaymentEvent['type']>;

/** Returns the state of the session at the provider. Throws when the provider does not answer. */
export async function syncPaymentSession(
  services: Services,
  attempt: PaymentAttempt,
): Promise<PaymentSessionState['state']> {
  const { sessionId, reference } = attempt;
  const session = await findAttemptSession(services, attempt);
  if (session && sessionId === undefined) await storeFoundSession(services.db, attempt, session);
  const state = session?.state ?? missingSessionState(attempt);
  const { id, paymentId, amount, currency, recurring } = session ?? {};
  // A closed attempt is queried once. While its session is still open at the provider, updated_at moves on and the attempt is queried again.
  const isSettled = attempt.state !== 'CLOSED' || (state !== 'open' && state !== 'processing');
  await services.db.write(
    `update payment_attempts set checked_at = $2${isSettled ? '' : ', updated_at = $2'} where id = $1`,
    [attempt.id, now()],
  );
  if (state === 'open') return state;
  const event: PaymentEvent = {
    id: `look-up:${attempt.id}`,
    type: eventTypes[state],
    reference,
    sessionId: id ?? sessionId,
    isFinal: true,
    paymentId,
    amount,
    currency,
    recurring,
  };
  await services.db.transaction((tx) => applyPaymentEvent(services, tx, event));
  return state;
}

/** State of an attempt without a session at the provider: a repeated request may still create the session of a NEW one. */
export const missingSessionState = ({ state, expiresAt }: PaymentAttempt): 'open' | 'expired' =>
  state === 'NEW' && expiresAt > now() ? 'open' : 'expired';
