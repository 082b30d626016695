/** Asks the provider about a page instead of waiting for its events: the answer is applied like any event. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent, PaymentSessionState } from '../../../ports/payments.ts';
import type { PaymentAttempt } from '../model.ts';
import { applyPaymentEvent } from '../receive-event.ts';

const types = {
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
} as const satisfies Record<Exclude<PaymentSessionState['state'], 'open'>, PaymentEvent['type']>;

/** Returns where the page stands at the provider. Throws when the provider does not answer. */
export async function syncPaymentSession(
  services: Services,
  attempt: PaymentAttempt,
): Promise<PaymentSessionState['state']> {
  const { sessionId, reference } = attempt;
  // Nobody was ever given an address to pay on.
  const found: PaymentSessionState =
    (sessionId === undefined ? undefined : await services.payments.findSession(sessionId)) ??
    ({ state: 'expired' } as const);
  const { state, ...facts } = found;
  // A closed page is asked about once, unless it is not over at the provider: then it counts as closed now, and is asked about again.
  const isOver = attempt.state !== 'CLOSED' || (state !== 'open' && state !== 'processing');
  await services.db.sql(
    `update payment_attempts set checked_at = $2${isOver ? '' : ', updated_at = $2'} where id = $1`,
    [attempt.id, now()],
  );
  if (state === 'open') return state;
  const event = { id: `look-up:${attempt.id}`, type: types[state], reference, sessionId, isFinal: true };
  await services.db.transaction((tx) => applyPaymentEvent(services, tx, { ...event, ...facts }));
  return state;
}
