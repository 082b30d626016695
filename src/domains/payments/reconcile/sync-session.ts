/** Reads the state of a payment session from the provider instead of waiting for its events, and applies it like an event. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent, PaymentSessionState } from '../../../ports/payments.ts';
import type { PaymentAttempt } from '../model.ts';
import { applyPaymentEvent } from '../receive-event.ts';

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
  // Without a session id no payment URL was ever handed out, so nothing can be paid.
  const session: PaymentSessionState =
    (sessionId === undefined ? undefined : await services.payments.findSession(sessionId)) ??
    ({ state: 'expired' } as const);
  const { state, ...payment } = session;
  // A closed attempt is queried once. While its session is still open at the provider, updated_at moves on and the attempt is queried again.
  const isSettled = attempt.state !== 'CLOSED' || (state !== 'open' && state !== 'processing');
  await services.db.write(
    `update payment_attempts set checked_at = $2${isSettled ? '' : ', updated_at = $2'} where id = $1`,
    [attempt.id, now()],
  );
  if (state === 'open') return state;
  const event = { id: `look-up:${attempt.id}`, type: eventTypes[state], reference, sessionId, isFinal: true };
  await services.db.transaction((tx) => applyPaymentEvent(services, tx, { ...event, ...payment }));
  return state;
}
