/** What the payment provider says about a subscription. Any event may come more than once, and late. */
import type { Services } from '../../graphql/context.ts';
import { now } from '../../lib/time.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import { parsePaymentReference } from './model.ts';

/** Events whose reference begins with `subscription:` are for `onSubscriptionPayment`. */
export const paymentPrefix = 'subscription';

export async function onSubscriptionPayment(
  { db }: Pick<Services, 'db'>,
  event: PaymentEvent,
): Promise<void> {
  const at = event.reference === undefined ? undefined : parsePaymentReference(event.reference);
  if (!at) return;
  switch (event.type) {
    case 'paid':
      // The same payment again, after an unsubscribe, must not bring the subscription back.
      await db.sql(
        `update subscriptions set status = 'ACTIVE', plan_id = case when attempt = $2 then coalesce(session_plan_id, plan_id) else plan_id end,
           payment_id = $3, session_url = null, session_expires_at = null, updated_at = $4
         where id = $1 and payment_id is distinct from $3`,
        [at.subscriptionId, at.attempt, event.paymentId ?? event.id, now()],
      );
      return;
    case 'cancelled':
    case 'refunded':
      await db.sql(
        `update subscriptions set status = 'CANCELLED', payment_id = null, session_url = null, session_expires_at = null, updated_at = $3
         where id = $1 and attempt = $2 and status in ('ACTIVE', 'PENDING')`,
        [at.subscriptionId, at.attempt, now()],
      );
      return;
    case 'expired':
      await db.sql(
        `update subscriptions set session_url = null, session_expires_at = null
         where id = $1 and attempt = $2 and status = 'PENDING'`,
        [at.subscriptionId, at.attempt],
      );
      return;
    case 'failed':
    case 'unknown':
      // The page can be tried again until it expires.
      return;
  }
}
