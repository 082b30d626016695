/** What payments do to subscriptions. Their events may come twice, late, and in any order; the outcome is the same. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { PaymentEvent, RefundAnswer } from '../../ports/payments.ts';
import { type Moved, moveAttempt, saveAttempt } from '../payments/attempts.ts';
import { recordFailedElsewhere, recordRefunded } from '../payments/elsewhere.ts';
import type { Refund } from '../payments/model.ts';
import { moneyOf } from '../payments/money.ts';
import { answerRefund, scheduleRefund } from '../payments/refunds.ts';
import { sellsBy } from '../payments/subjects.ts';
import { announce } from '../webhooks/announce.ts';
import { factColumns, type SubscriptionFacts, subscriptionEvents } from './events.ts';
import type { SubscriptionStatus } from './model.ts';

sellsBy('subscription', { apply, refundAnswered });

interface Paid extends SubscriptionFacts {
  payment_id: string | null;
}

async function lock(tx: Queries, id: string): Promise<Paid | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await tx.sql<Paid>(
    `select ${factColumns}, s.payment_id from subscriptions s where s.id = $1 for update`,
    [id],
  );
  return row;
}

async function apply(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string> {
  const subscription = await lock(tx, id);
  if (event.type === 'cancelled') return cancelled(services, tx, event, subscription);
  if (event.type === 'refunded') return refunded(services, tx, subscription, await recordRefunded(tx, event));
  if (event.type === 'refund')
    return event.refund?.status === 'failed' && (await recordFailedElsewhere(tx, event))
      ? 'refund failed'
      : 'ignored';
  if (event.type === 'disputed') return disputed(services, tx, event, subscription);
  const moved = await moveAttempt(tx, event);
  if (!moved) {
    // The provider's account may serve other systems, whose payments are none of ours.
    if (event.type === 'paid')
      services.log.error({ event }, 'a payment event names a page that was never opened');
    return 'unknown attempt';
  }
  if (moved.effect === 'accept') return accept(services, tx, event, moved, subscription);
  if (moved.effect === 'late' || moved.effect === 'return')
    return giveMoneyBack(services, tx, event, moved, subscription);
  if (moved.effect === 'none') return event.type === 'paid' ? 'repeated' : 'ignored';
  return moved.effect;
}

/** A payment gives exactly the plan it was made for, and only once. */
async function accept(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
  moved: Moved,
  subscription: Paid | undefined,
): Promise<string> {
  const isWanted = subscription?.plan_id === (moved.attempt.item ?? null) && subscription.status !== 'ACTIVE';
  if (subscription && isWanted) {
    await change(services, tx, subscription, 'ACTIVE', moved.attempt.paymentId ?? null);
    return 'paid';
  }
  await saveAttempt(tx, { ...moved.attempt, state: 'RETURNED' });
  const reason = whyNot(subscription, moved.attempt.item);
  return giveMoneyBack(services, tx, event, { ...moved, reason }, subscription);
}

function whyNot(subscription: Paid | undefined, item: string | undefined): string {
  if (!subscription) return 'Paid for what is gone';
  return subscription.plan_id === (item ?? null) ? 'Paid twice' : 'Paid for a plan that was exchanged';
}

/** Money that fits nothing goes back in full, and is told. */
async function giveMoneyBack(
  services: Services,
  tx: Queries,
  { paymentId = '', amount = 0, currency }: PaymentEvent,
  { attempt, reason = '' }: Moved,
  subscription: Paid | undefined,
): Promise<string> {
  services.log.error(
    { subscriptionId: attempt.subjectId, paymentId, amount, currency, reason },
    'a payment fits nothing',
  );
  await scheduleRefund(services, tx, { attempt, paymentId, amount, currency, counts: false, reason });
  if (subscription) {
    const { id: subscriptionId, business_id: businessId } = subscription;
    await announce(services, tx, businessId, [
      { type: 'payment.returned', data: { subscriptionId, businessId, amount, currency, reason } },
    ]);
  }
  return `${reason.toLowerCase()}, refunded`;
}

/** A refund in part ends nothing; one of the whole payment does. */
async function refunded(
  services: Services,
  tx: Queries,
  subscription: Paid | undefined,
  changed: object | undefined,
): Promise<string> {
  if (!subscription || !changed) return 'ignored';
  const { payments } = await moneyOf(tx, 'subscription', subscription.id);
  const payment = payments.find(({ paymentId }) => paymentId === subscription.payment_id);
  if (!payment || payment.refunded < payment.captured || !isLive(subscription)) return 'refunded in part';
  await change(services, tx, subscription, 'CANCELLED', null);
  return 'refunded';
}

async function refundAnswered(
  services: Services,
  tx: Queries,
  { id: refundId }: Refund,
  answer: RefundAnswer,
  id: string,
): Promise<void> {
  const subscription = await lock(tx, id);
  const moved = await answerRefund(tx, refundId, answer);
  if (!moved || !subscription) return;
  const { id: subscriptionId, business_id: businessId } = subscription;
  const { amount, currency, failure: reason, status, counts } = moved.refund;
  if (status === 'FAILED')
    await announce(services, tx, businessId, [
      { type: 'refund.failed', data: { id: refundId, subscriptionId, businessId, amount, currency, reason } },
    ]);
  if (counts) await refunded(services, tx, subscription, moved);
}

async function cancelled(
  services: Services,
  tx: Queries,
  { paymentId }: PaymentEvent,
  subscription: Paid | undefined,
): Promise<string> {
  if (!subscription || !isLive(subscription) || subscription.payment_id !== (paymentId ?? null))
    return 'ignored';
  await change(services, tx, subscription, 'CANCELLED', null);
  return 'cancelled';
}

async function disputed(
  services: Services,
  tx: Queries,
  { amount, currency }: PaymentEvent,
  subscription: Paid | undefined,
): Promise<string> {
  if (!subscription) return 'ignored';
  const { id: subscriptionId, business_id: businessId } = subscription;
  await announce(services, tx, businessId, [
    { type: 'payment.disputed', data: { subscriptionId, businessId, amount, currency } },
  ]);
  return 'disputed';
}

const isLive = ({ status }: Paid) => status === 'ACTIVE' || status === 'PENDING';

async function change(
  services: Services,
  tx: Queries,
  before: Paid,
  status: SubscriptionStatus,
  paymentId: string | null,
): Promise<void> {
  await tx.sql(
    'update subscriptions set status = $2::"SubscriptionStatus", payment_id = $3, updated_at = $4 where id = $1',
    [before.id, status, paymentId, now()],
  );
  await announce(services, tx, before.business_id, subscriptionEvents(before.status, { ...before, status }));
}
