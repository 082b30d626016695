/** What the payment provider says about a subscription. Events may come late and in any order. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import { handlePayments } from '../payments/receive-event.ts';
import { announce } from '../webhooks/announce.ts';
import { factColumns, type SubscriptionFacts, subscriptionEvents } from './events.ts';
import { attemptOf, type SubscriptionStatus } from './model.ts';

handlePayments('subscription', { apply: applyPayment });

async function applyPayment(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
  id: string,
): Promise<string> {
  const statement = statements[event.type];
  // A failed payment can be tried again on the same page.
  if (!statement || !isId(id)) return 'ignored';
  const attempt = event.reference === undefined ? null : attemptOf(event.reference);
  const [changed] = await tx.sql<SubscriptionFacts & { previous: SubscriptionStatus }>(statement, [
    id,
    attempt,
    now(),
    event.paymentId ?? event.id,
  ]);
  if (!changed) return event.type === 'paid' ? unmoved(services, tx, event, id) : 'ignored';
  await announce(services, tx, changed.business_id, subscriptionEvents(changed.previous, changed));
  return event.type;
}

/** Money for what is gone is given back by people: the provider's account may serve other systems, whose records we do not know. */
async function unmoved({ log }: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string> {
  const [found] = await tx.sql('select 1 from subscriptions where id = $1', [id]);
  if (found) return 'repeated';
  log.error({ event }, 'a payment event names a subscription that does not exist');
  return 'unknown subscription';
}

/** `$1` the subscription, `$2` the attempt or null when the event does not say, `$3` now, `$4` the payment. */
const change = (changes: string, condition: string) =>
  `update subscriptions s set ${changes}, session_url = null, session_expires_at = null, updated_at = $3
   from (select * from subscriptions where id = $1 for update) before
   where s.id = before.id and ${condition} returning ${factColumns}, before.status as previous`;

const ended = change(
  `status = 'CANCELLED', payment_id = null`,
  `before.status in ('ACTIVE', 'PENDING') and (before.payment_id = $4 or ($2::int is not null and before.attempt = $2))`,
);

const statements: Readonly<Partial<Record<PaymentEvent['type'], string>>> = {
  // The same payment again, after an unsubscribe, must not bring the subscription back.
  paid: change(
    `status = 'ACTIVE', payment_id = $4,
     plan_id = case when before.attempt = $2 then coalesce(before.session_plan_id, before.plan_id) else before.plan_id end`,
    'before.payment_id is distinct from $4',
  ),
  cancelled: ended,
  refunded: ended,
  expired: change(
    'status = before.status',
    `before.attempt = $2 and before.status = 'PENDING' and $4::text is not null`,
  ),
};
