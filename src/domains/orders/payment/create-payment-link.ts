/** `createPaymentLink`: opens a payment page for the amount due, such as after an edit, for a manual order, or when the first page was lost. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import { missingPermissionError, notFoundError, validationError } from '../../../errors.ts';
import { releaseIdempotencyKey, runIdempotent } from '../../../idempotency.ts';
import { now } from '../../../lib/time.ts';
import { PaymentRejectedError } from '../../../ports/payments.ts';
import { closeOpenPaymentAttempts } from '../../payments/close-payment-attempts.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { toCheckoutError } from '../../payments/open-checkout-session.ts';
import { resolvePaymentReturnUrls } from '../../payments/return-urls.ts';
import { createNextPaymentAttempt, findOpenPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import type { Order } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { findOrder } from '../read/find-order.ts';
import type { CreatePaymentLinkArgs } from '../schemas.ts';
import { currentStatus } from '../status-transitions.ts';
import { computeAmountDue } from './amount-due.ts';
import { paymentWindowSeconds } from './expire-orders.ts';
import { openOrderPaymentSession, requirePayableOrder } from './open-payment-session.ts';

/** Lifetime of the page when the order itself does not expire. Below 24 hours, when providers close their pages. */
const pageLifetimeSeconds = 23 * 3600;
/** An open page is reused only if it stays open at least this long. */
const minRemainingSeconds = 60;
/** Upper limit for customers, from creation of the order: more payment links must not keep stock reserved any longer. */
const maxReservationSeconds = 24 * 3600;

export interface PaymentLink {
  orderId: string;
  orderNumber: number;
  checkoutUrl: string;
}

export async function createPaymentLink(
  ctx: Context,
  { businessId, id, input }: CreatePaymentLinkArgs,
): Promise<PaymentLink> {
  const urls = resolvePaymentReturnUrls(ctx.config, input);
  const visibleOrder = await findOrder(ctx, { businessId, id });
  if (!visibleOrder) throw notFoundError('Order');
  const isStaff = await ctx.viewer.hasPermission('ORDERS_WRITE', businessId);
  const { accountUser: person } = ctx.viewer;
  if (!isStaff && (!person || visibleOrder.customerId !== person.userId))
    throw missingPermissionError('ORDERS_WRITE');
  const { reference } = await runIdempotent(ctx, 'createPaymentLink', { businessId, id, input }, (queries) =>
    queries.transaction((tx) => openAttempt(ctx, tx, { businessId, id }, isStaff)),
  );
  const payable = await requirePayableOrder(ctx, id, reference);
  if (!payable.attempt) throw notFoundError('Order');
  const checkoutUrl = await openOrderPaymentSession(ctx, payable, payable.attempt, urls).catch(
    async (error: unknown) => {
      if (error instanceof PaymentRejectedError) await abandonAttempt(ctx, id, reference);
      throw toCheckoutError(error, 'The payment provider is unavailable, try again.');
    },
  );
  return { orderId: id, orderNumber: payable.order.number, checkoutUrl };
}

/** Reuses the open attempt for the amount due, or closes all open ones and creates a new one. */
async function openAttempt(
  ctx: Context,
  tx: QueryHandle,
  ref: { businessId: string; id: string },
  isStaff: boolean,
): Promise<Pick<PaymentAttempt, 'reference'>> {
  const order = await lockOrder(tx, ref);
  if (!order) throw notFoundError('Order');
  const amount = computeAmountDue(order);
  if (amount <= 0) throw paymentLinkError('NOTHING_DUE', 'No amount is due for this order.');
  // Only a PENDING order expires: one that was shipped before its payment can be paid at any time.
  const expiry = currentStatus(order.statuses) === 'PENDING' ? order.expiresAt : undefined;
  if (!isStaff && expiry !== undefined && now() > order.createdAt + maxReservationSeconds)
    throw paymentLinkError('ORDER_EXPIRED', 'The time to pay this order is over: place a new order.');
  const existing = await findOpenPaymentAttempt(tx, 'order', order.id);
  if (existing && isReusable(existing, order, amount)) return { reference: existing.reference };
  await closeOpenPaymentAttempts(ctx, tx, 'order', order.id);
  const expiresAt = now() + (expiry === undefined ? pageLifetimeSeconds : paymentWindowSeconds);
  // The order must not expire before its payment page.
  if (expiry !== undefined && expiry < expiresAt) await saveOrder(ctx, tx, order, { ...order, expiresAt });
  const { currency, id: subjectId } = order;
  const { reference } = await createNextPaymentAttempt(tx, {
    kind: 'order',
    subjectId,
    amount,
    currency,
    expiresAt,
  });
  return { reference };
}

/** A PROCESSING payment is always reused: a second page could collect the amount twice. */
const isReusable = (
  { amount, currency, state, expiresAt }: PaymentAttempt,
  order: Order,
  due: number,
): boolean =>
  amount === due &&
  currency === order.currency &&
  (state === 'PROCESSING' || expiresAt >= now() + minRemainingSeconds);

const paymentLinkError = (error: DetailCode, message: string) => validationError('id', error, message);

const abandonAttempt = (ctx: Context, orderId: string, reference: string): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await lockOrder(tx, { id: orderId });
    await closeOpenPaymentAttempts(ctx, tx, 'order', orderId);
    await releaseIdempotencyKey(ctx, tx, { reference });
  });
