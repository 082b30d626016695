/** A new page to pay on: for what is still due after an edit, for manual orders, and for a page that was lost. */

import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import { forbiddenError, notFoundError, validationError } from '../../../errors.ts';
import { releaseIdempotencyKey, runIdempotent } from '../../../idempotency.ts';
import { now } from '../../../lib/time.ts';
import { PaymentRejectedError } from '../../../ports/payments.ts';
import { toCheckoutError } from '../../payments/checkout-session.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { closeOpenAttempts, createNextAttempt, findOpenAttempt } from '../../payments/payment-attempts.ts';
import { requireReturnUrls } from '../../payments/return-urls.ts';
import type { Order } from '../model.ts';
import { findOrder } from '../read/find-order.ts';
import type { CreatePaymentLinkArgs } from '../schemas.ts';
import { lockOrder, saveOrder } from '../store.ts';
import { amountDue } from './amount-due.ts';
import { paymentWindowSeconds } from './expire-orders.ts';
import { openOrderPaymentPage, readPayableOrder } from './payment-page.ts';

/** Where nothing expires but the page itself. Providers close theirs after a day. */
const patientSeconds = 23 * 3600;
/** A page that closes in a minute is no use to anybody. */
const stillUseful = 60;
/** Customers keep the stock of an unpaid order no longer than this, however many pages they ask for. */
const holdSeconds = 24 * 3600;

export interface PaymentLink {
  orderId: string;
  orderNumber: number;
  checkoutUrl: string;
}

export async function createPaymentLink(
  ctx: Context,
  { businessId, id, input }: CreatePaymentLinkArgs,
): Promise<PaymentLink> {
  const urls = requireReturnUrls(ctx.config, input);
  const seen = await findOrder(ctx, { businessId, id });
  if (!seen) throw notFoundError('Order');
  const isStaff = await ctx.viewer.hasPermission('ORDERS_WRITE', businessId);
  const { accountUser: person } = ctx.viewer;
  if (!isStaff && (!person || seen.customerId !== person.userId)) throw forbiddenError();
  const { reference } = await runIdempotent(ctx, 'createPaymentLink', { businessId, id, input }, (queries) =>
    queries.transaction((tx) => openAttempt(ctx, tx, { businessId, id }, isStaff)),
  );
  const payable = await readPayableOrder(ctx, id, reference);
  if (!payable.attempt) throw notFoundError('Order');
  const checkoutUrl = await openOrderPaymentPage(ctx, payable, payable.attempt, urls).catch(
    async (error: unknown) => {
      if (error instanceof PaymentRejectedError) await giveUp(ctx, id, reference);
      throw toCheckoutError(error, 'The payment provider does not answer, try again.');
    },
  );
  return { orderId: id, orderNumber: payable.order.number, checkoutUrl };
}

/** The page that is open for what is due, or a new one; the others are closed. */
async function openAttempt(
  ctx: Context,
  tx: Queries,
  at: { businessId: string; id: string },
  isStaff: boolean,
): Promise<Pick<PaymentAttempt, 'reference'>> {
  const order = await lockOrder(tx, at);
  if (!order) throw notFoundError('Order');
  const amount = amountDue(order);
  if (amount <= 0) throw refuse('NOTHING_DUE', 'Nothing is due for this order.');
  if (!isStaff && order.expiresAt !== undefined && now() > order.createdAt + holdSeconds)
    throw refuse('ORDER_EXPIRED', 'This order was not paid in time, order again.');
  const open = await findOpenAttempt(tx, 'order', order.id);
  if (open && isFor(open, order, amount)) return { reference: open.reference };
  await closeOpenAttempts(ctx, tx, 'order', order.id);
  const expiresAt = now() + (order.expiresAt === undefined ? patientSeconds : paymentWindowSeconds);
  // An order waits as long as its page does.
  if (order.expiresAt !== undefined && order.expiresAt < expiresAt)
    await saveOrder(ctx, tx, order, { ...order, expiresAt });
  const { currency, id: subjectId } = order;
  const { reference } = await createNextAttempt(tx, {
    kind: 'order',
    subjectId,
    amount,
    currency,
    expiresAt,
  });
  return { reference };
}

/** While money is on its way, a second page would ask for it twice. */
const isFor = ({ amount, currency, state, expiresAt }: PaymentAttempt, order: Order, due: number): boolean =>
  amount === due &&
  currency === order.currency &&
  (state === 'PROCESSING' || expiresAt >= now() + stillUseful);

const refuse = (error: DetailCode, message: string) => validationError({ field: 'id', error, message });

const giveUp = (ctx: Context, orderId: string, reference: string): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await lockOrder(tx, { id: orderId });
    await closeOpenAttempts(ctx, tx, 'order', orderId);
    await releaseIdempotencyKey(ctx, tx, { reference });
  });
