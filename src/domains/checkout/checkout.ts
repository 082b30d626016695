/** Turns a cart into an order: stock, promo code and order in one transaction, the payment page right after it. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError, invalid } from '../../errors.ts';
import { onceKeeping } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { acceptedLocale } from '../../lib/languages.ts';
import { now } from '../../lib/time.ts';
import { PaymentRefused } from '../../ports/payments.ts';
import { claimPromo, lockPromo } from '../businesses/promo-claims.ts';
import { paymentSeconds } from '../orders/expiry.ts';
import { heldTooMuch, holderOf } from '../orders/holding.ts';
import { movesBetween, withTaken } from '../orders/line-stock.ts';
import { reportLowStock } from '../orders/low-stock.ts';
import type { Order } from '../orders/model.ts';
import { queueConfirmation } from '../orders/order-mails.ts';
import { openPage, type Payable, readPayable } from '../orders/payment-page.ts';
import { insertOrder } from '../orders/store.ts';
import { firstAttempt } from '../payments/attempts.ts';
import { referenceOf } from '../payments/model.ts';
import { pageFault } from '../payments/page.ts';
import { returnUrls } from '../payments/return-urls.ts';
import { promoDetail } from '../pricing/promo.ts';
import { moveStock } from '../products/move-stock.ts';
import { appendStatuses, stampFor } from '../shared/history.ts';
import { customersRecordBytes } from '../shared/record-size.ts';
import { abandon, type Reopen } from './abandon.ts';
import { chosenAddresses } from './addresses.ts';
import { type Cart, priceCart, shippingRequired } from './cart.ts';
import type { CheckoutRequest } from './checks.ts';
import type { Bought, CheckoutResult } from './model.ts';
import { expectPayable, paymentMethodOf } from './payment-method.ts';
import { openQuote, readQuote, type SentQuote } from './quote-id.ts';

/** Something to be ordered: how it is paid is known before, what it is may be read by the transaction that orders it. */
export interface Purchase {
  businessId: string;
  payment: Pick<Bought, 'paymentMethod' | 'quote' | 'returnUrl' | 'cancelUrl'>;
  /** What its lines are called in the faults they have. */
  field: 'lines' | 'items';
  /** What a repeated request under the same key must ask for again. */
  operation: string;
  asked: unknown;
  take(tx: Queries): Bought | Promise<Bought>;
  /** Puts back what `take` took away, should the order be taken back. */
  reopen?: Reopen;
}

export const checkout = (
  ctx: Context,
  { businessId, input: { field, ...input } }: CheckoutRequest,
): Promise<CheckoutResult> =>
  purchase(ctx, {
    businessId,
    payment: input,
    field,
    operation: 'checkout',
    asked: { businessId, input },
    take: async (tx) => ({ ...input, ...(await chosenAddresses(ctx, tx, input)) }),
  });

export async function purchase(
  ctx: Context,
  { businessId, payment, field, operation, asked, take, reopen }: Purchase,
): Promise<CheckoutResult> {
  const urls = returnUrls(ctx.config, payment);
  const paymentMethod = paymentMethodOf(ctx.config, payment.paymentMethod);
  const quote = payment.quote === undefined ? undefined : await readQuote(ctx, payment.quote);
  const outcome = await onceKeeping(
    ctx,
    operation,
    asked,
    (queries) =>
      queries.transaction(async (tx) =>
        place(ctx, tx, { businessId, input: await take(tx), field, paymentMethod, quote }),
      ),
    ({ order }) => ({ orderId: order.id }),
  );
  // A repeated request also makes the page of a checkout whose process died before it could.
  const placed = outcome.isNew
    ? outcome.result
    : await readPayable(ctx, outcome.kept.orderId, referenceOf('order', outcome.kept.orderId));
  const { attempt } = placed;
  const { id: orderId, number: orderNumber } = placed.order;
  if (!attempt) return { orderId, orderNumber, status: 'COMPLETED' };
  return {
    orderId,
    orderNumber,
    checkoutUrl: await openPage(ctx, placed, attempt, urls).catch((error: unknown) =>
      withoutPage(ctx, orderId, error, reopen),
    ),
  };
}

/** Without a page the order is taken back, unless somebody else has made the page. */
async function withoutPage(
  ctx: Context,
  orderId: string,
  error: unknown,
  reopen: Reopen | undefined,
): Promise<string> {
  if (error instanceof AppError) throw error;
  ctx.log.error({ err: error, requestId: ctx.request.requestId, orderId }, 'no payment page');
  const url = await abandon(ctx, orderId, error instanceof PaymentRefused, reopen);
  if (url !== undefined) return url;
  throw pageFault(error, 'The payment provider does not answer. Nothing was ordered, try again.');
}

interface Placing extends Pick<Purchase, 'businessId' | 'field'> {
  input: Bought;
  paymentMethod: string;
  quote: SentQuote | undefined;
}

async function place(
  ctx: Context,
  tx: Queries,
  { businessId, input, field, paymentMethod, quote }: Placing,
): Promise<Payable> {
  const cart = await pricedCart(ctx, tx, { businessId, input, field }, quote);
  if (cart.short.length > 0) throw invalid(...cart.short);
  if (cart.shippingMethodId === undefined && cart.shipsHere) throw invalid(shippingRequired);
  const wanted = newOrder(ctx, businessId, input, cart, paymentMethod);
  expectPayable(paymentMethod, wanted.total);
  // Locked in the order everybody locks: products, promo code, then the number that the order gets.
  const { low, variants } = await moveStock(tx, businessId, movesBetween([], wanted.lines, field), {
    kind: 'ORDER',
    orderId: wanted.id,
    userId: wanted.customerId,
  });
  await reportLowStock(ctx, tx, businessId, low);
  const attempt =
    wanted.expiresAt === undefined
      ? undefined
      : await firstAttempt(tx, {
          kind: 'order',
          subjectId: wanted.id,
          amount: wanted.total,
          currency: wanted.currency,
          expiresAt: wanted.expiresAt,
        });
  if (cart.promo && !(await lockPromo(tx, cart.promo.id))) throw invalid(promoDetail('PROMO_CODE_INVALID'));
  const taken = { ...wanted, lines: withTaken([], wanted.lines, variants) };
  const { order, roomAgainAt } = await insertOrder(ctx, tx, taken, { most: customersRecordBytes });
  if (roomAgainAt !== undefined) throw heldTooMuch(ctx, roomAgainAt);
  if (cart.promo && !(await claimPromo(tx, cart.promo.id, order.id, order.customerId)))
    throw invalid(promoDetail('PROMO_CODE_EXHAUSTED'));
  if (order.total === 0) await queueConfirmation(ctx, tx, order);
  return { order, attempt, merchant: cart.businessName };
}

/** With a quote its prices count, and what the request leaves out is what was quoted. */
function pricedCart(
  ctx: Context,
  tx: Queries,
  { businessId, input, field }: Pick<Placing, 'businessId' | 'input' | 'field'>,
  quote: SentQuote | undefined,
): Promise<Cart> {
  const request = {
    businessId,
    market: input.market,
    lines: input.items,
    shippingMethodId: input.shippingMethodId,
    promoCode: input.promoCode,
    customerId: ctx.viewer.person?.userId,
    field,
  };
  if (!quote) return priceCart(tx, request);
  const lock = openQuote(ctx, quote, request);
  return priceCart(
    tx,
    { ...request, shippingMethodId: lock.shippingMethodId, promoCode: lock.promoCode },
    lock,
  );
}

function newOrder(ctx: Context, businessId: string, input: Bought, cart: Cart, paymentMethod: string): Order {
  const { lines: _lines, ...totals } = cart.price;
  const isFree = totals.total === 0;
  const stamp = stampFor(ctx.viewer);
  const time = now();
  return {
    id: newId(),
    businessId,
    number: 0,
    customerId: ctx.viewer.person?.userId,
    market: cart.market,
    currency: cart.currency,
    lines: cart.lines,
    blocks: input.blocks ?? [],
    shippingAddress: input.shippingAddress,
    billingAddress: input.billingAddress,
    locale: input.locale ?? acceptedLocale(ctx.request.acceptLanguage),
    ...totals,
    taxBps: cart.taxBps,
    promoCode: cart.promo?.code,
    shippingMethodId: cart.shippingMethodId,
    paymentMethod,
    statuses: appendStatuses([], [{ status: isFree ? 'PROCESSING' : 'PENDING' }], stamp),
    paymentStatus: appendStatuses([], [{ status: isFree ? 'PAID' : 'PENDING' }], stamp),
    expiresAt: isFree ? undefined : time + paymentSeconds,
    heldFrom: isFree ? undefined : holderOf(ctx),
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}
