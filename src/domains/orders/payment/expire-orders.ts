/** Ends checkouts that nobody paid: cancelled by the service, with stock and promo code returned. The provider is asked first. */

import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { findOpenAttempt } from '../../payments/payment-attempts.ts';
import { syncPaymentSession } from '../../payments/reconcile/sync-session.ts';
import { stampAsSystem } from '../../shared/status-history.ts';
import { releaseCancelledOrder } from '../manage/release-cancelled-order.ts';
import type { Order } from '../model.ts';
import { currentStatus, orderTransitions, transitionIfAllowed } from '../status-transitions.ts';
import { lockOrder, saveOrder } from '../store.ts';

/** How long a customer has to pay. */
export const paymentWindowSeconds = 30 * 60;

const batchSize = 50;
/** How long a claim lasts: should the process die, others take over then, and what failed is tried again. */
const claimSeconds = 60;

// Several processes may do this at once: each takes rows that no other has taken.
const claimStatement = `update orders set claimed_until = $1 + ${claimSeconds} where id in (
    select id from orders where status = 'PENDING' and payment_status in ('PENDING', 'FAILED') and expires_at <= $1
      and (claimed_until is null or claimed_until <= $1)
    order by expires_at limit ${batchSize} for update skip locked
  ) returning id`;

/** Returns how many orders this call ended. An order that cannot be ended now does not keep the others from it. */
export async function expireOrders(services: Services): Promise<number> {
  let ended = 0;
  for (;;) {
    const claimed = await services.db.sql<{ id: string }>(claimStatement, [now()]);
    for (const { id: orderId } of claimed) {
      try {
        if (await expireOrder(services, orderId)) ended += 1;
      } catch (error) {
        services.log.warn({ err: error, orderId }, 'unpaid order not cancelled, will be tried again');
      }
    }
    if (claimed.length < batchSize) return ended;
  }
}

export const expireOrdersJob = defineJob(
  'expire-orders',
  noJobData,
  async (services: Services) => {
    const ended = await expireOrders(services);
    if (ended > 0) services.log.info({ ended }, 'unpaid orders cancelled');
  },
  { cron: '* * * * *', retries: 0, timeout: 300 },
);

async function expireOrder(services: Services, id: string): Promise<boolean> {
  const attempt = await findOpenAttempt(services.db, 'order', id);
  const found = attempt?.sessionId === undefined ? undefined : await closeAndAsk(services, attempt);
  if (found === 'open') return false;
  // The answer was applied like the event of the provider, which ends the order.
  if (found === 'expired') return true;
  return services.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { id }, { withStock: true });
    const isDue = order?.expiresAt !== undefined && order.expiresAt <= now();
    return isDue && cancelUnpaidOrder(services, tx, order);
  });
}

/** Closed first and asked then: nobody can pay between the question and the end. */
function closeAndAsk(services: Services, attempt: PaymentAttempt) {
  const { reference, sessionId: id, state } = attempt;
  const closed =
    state === 'PROCESSING' ? Promise.resolve() : services.payments.expireSession({ reference, id });
  return closed.then(() => syncPaymentSession(services, attempt));
}

/** For an order locked with its stock. False when it was paid, in whatever way, or has left PENDING in the meantime. */
export async function cancelUnpaidOrder(services: Services, tx: Queries, order: Order): Promise<boolean> {
  const payment = currentStatus(order.paymentStatus);
  if (payment !== 'PENDING' && payment !== 'FAILED') return false;
  if (currentStatus(order.statuses) !== 'PENDING' || order.expiresAt === undefined || order.captured > 0)
    return false;
  const statuses = transitionIfAllowed(order.statuses, 'CANCELLED', orderTransitions, stampAsSystem);
  await saveOrder(services, tx, order, await releaseCancelledOrder(services, tx, { ...order, statuses }));
  return true;
}
