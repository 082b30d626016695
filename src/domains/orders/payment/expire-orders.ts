/** Job that cancels expired unpaid checkouts, unless the payment provider reports a payment, and releases stock and promo code. */
import type { Services } from '../../../context.ts';
import { buildWritableBusinessSql, type QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { syncPaymentSession } from '../../payments/reconcile/sync-payment-session.ts';
import { findOpenPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import { releaseStockAndPromoCode } from '../manage/release-stock-and-promo-code.ts';
import type { Order } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { currentStatus, orderTransitions, transitionStatusIfAllowed } from '../status-transitions.ts';
import { markFreeOrderPaid } from './free-order-rules.ts';

/** Time that a customer has to pay after checkout: 30 minutes. */
export const paymentWindowSeconds = 30 * 60;

const batchSize = 50;
/** Duration of a claim. After that another process may claim the order again, if this one crashed or failed. */
const claimSeconds = 60;

// `for update skip locked`: several processes can run this at once, each claims different rows.
const claimStatement = `update orders set claimed_until = $1 + ${claimSeconds} where id in (
    select id from orders o where status = 'PENDING' and payment_status in ('PENDING', 'FAILED') and expires_at <= $1
      and (claimed_until is null or claimed_until <= $1) and ${buildWritableBusinessSql('o.business_id')}
    order by expires_at limit ${batchSize} for update skip locked
  ) returning id`;

/** Returns the number of orders that this call cancelled. An error on one order is logged and does not stop the others. */
export async function expireOrders(services: Services): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const claimed = await services.db.write<{ id: string }>(claimStatement, [now()]);
    for (const { id: orderId } of claimed) {
      try {
        if (await expireOrder(services, orderId)) cancelled += 1;
      } catch (error) {
        services.log.warn({ err: error, orderId }, 'cancelling an unpaid order failed, will retry');
      }
    }
    if (claimed.length < batchSize) return cancelled;
  }
}

export const expireOrdersJob = defineJob(
  'expire-orders',
  noJobDataSchema,
  async (services: Services) => {
    const ended = await expireOrders(services);
    if (ended > 0) services.log.info({ cancelled: ended }, 'unpaid orders cancelled');
  },
  { cron: '* * * * *', retries: 0, timeout: 300 },
);

async function expireOrder(services: Services, id: string): Promise<boolean> {
  const attempt = await findOpenPaymentAttempt(services.db, 'order', id);
  const sessionState = attempt && (await closeAndLookUpSession(services, attempt));
  if (sessionState === 'open') return false;
  // The lookup result was applied like an `expired` event, which cancels the order.
  if (sessionState === 'expired') return true;
  return services.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { id }, { withStock: true });
    const isDue = order?.expiresAt !== undefined && order.expiresAt <= now();
    return isDue && cancelUnpaidOrder(services, tx, order);
  });
}

/** Closes the session before the lookup, so that the customer cannot pay between lookup and cancellation. */
function closeAndLookUpSession(services: Services, attempt: PaymentAttempt) {
  const { reference, sessionId: id, state, createdAt } = attempt;
  const closed =
    state === 'PROCESSING'
      ? Promise.resolve()
      : services.payments.expireSession({ reference, id, createdAt });
  return closed.then(() => syncPaymentSession(services, attempt));
}

/** Requires an order locked with its stock. Returns false when it was paid by any means, needs no payment, or is no longer PENDING. */
export async function cancelUnpaidOrder(services: Services, tx: QueryHandle, order: Order): Promise<boolean> {
  const free = markFreeOrderPaid(order);
  if (free !== order) {
    await saveOrder(services, tx, order, free);
    return false;
  }
  const payment = currentStatus(order.paymentStatus);
  if (payment !== 'PENDING' && payment !== 'FAILED') return false;
  if (currentStatus(order.statuses) !== 'PENDING' || order.expiresAt === undefined || order.captured > 0)
    return false;
  const statuses = transitionStatusIfAllowed(
    order.statuses,
    'CANCELLED',
    orderTransitions,
    buildSystemStatusHistoryEntry,
  );
  await saveOrder(services, tx, order, await releaseStockAndPromoCode(tx, { ...order, statuses }));
  return true;
}
