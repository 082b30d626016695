/** What the payment provider says about a subscription. Events may come late and in any order. */
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import { handlePayments } from '../checkout/payment-events.ts';
import { attemptOf } from './model.ts';

handlePayments('subscription', {
  apply: (_services, tx, event, id) => applyPayment(tx, event, id),
});

async function applyPayment(tx: Queries, event: PaymentEvent, id: string): Promise<string> {
  const statement = statements[event.type];
  // A failed payment can be tried again on the same page.
  if (!statement || !isId(id)) return 'ignored';
  const attempt = event.reference === undefined ? null : attemptOf(event.reference);
  const changed = await tx.sql(statement, [id, attempt, now(), event.paymentId ?? event.id]);
  return changed.length > 0 ? event.type : 'ignored';
}

/** `$1` the subscription, `$2` the attempt or null when the event does not say, `$3` now, `$4` the payment. */
const closed = 'session_url = null, session_expires_at = null, updated_at = $3';
const ended = `update subscriptions set status = 'CANCELLED', payment_id = null, ${closed}
  where id = $1 and status in ('ACTIVE', 'PENDING') and (payment_id = $4 or ($2::int is not null and attempt = $2)) returning id`;

const statements: Readonly<Partial<Record<PaymentEvent['type'], string>>> = {
  // The same payment again, after an unsubscribe, must not bring the subscription back.
  paid: `update subscriptions set status = 'ACTIVE', payment_id = $4, ${closed},
      plan_id = case when attempt = $2 then coalesce(session_plan_id, plan_id) else plan_id end
    where id = $1 and payment_id is distinct from $4 returning id`,
  cancelled: ended,
  refunded: ended,
  expired: `update subscriptions set ${closed}
    where id = $1 and attempt = $2 and status = 'PENDING' and $4::text is not null returning id`,
};
