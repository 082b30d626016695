/** Turns a cart into an order: stock, promo code and order in one transaction, the payment page right after it. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { AppError, validationError } from '../../errors.ts';
import { runIdempotentStoring } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { negotiateLocale } from '../../lib/text/locales.ts';
import { now } from '../../lib/time.ts';
import { PaymentRejectedError } from '../../ports/payments.ts';
import { claimPromoCode, lockPromoCode } from '../businesses/promo-codes/promo-claims.ts';
import { queueOrderConfirmation } from '../orders/mail/queue-order-mails.ts';
import { stockMovesBetween, withTakenUnits } from '../orders/manage/line-stock.ts';
import { reportLowStock } from '../orders/manage/report-low-stock.ts';
import { hashClientNetwork, unpaidOrderLimitError } from '../orders/manage/unpaid-order-limit.ts';
import type { Order } from '../orders/model.ts';
import { paymentWindowSeconds } from '../orders/payment/expire-orders.ts';
import { openOrderPaymentPage, type PayableOrder, readPayableOrder } from '../orders/payment/payment-page.ts';
import { insertOrder } from '../orders/store.ts';
import { toCheckoutError } from '../payments/checkout-session.ts';
import { buildPaymentReference } from '../payments/model.ts';
import { createFirstAttempt } from '../payments/payment-attempts.ts';
import { requireReturnUrls } from '../payments/return-urls.ts';
import { promoDetail } from '../pricing/promo-code.ts';
import { moveStock } from '../products/stock/move-stock.ts';
import { maxCustomerRecordBytes } from '../shared/record-size.ts';
import { appendStatusChanges, createStatusStamper } from '../shared/status-history.ts';
import { resolveAddresses } from './addresses.ts';
import type { CheckoutResult, PurchaseInput } from './model.ts';
import { assertPaymentMethodAllowed, parsePaymentMethod } from './payment-method.ts';
import { type PricedCart, priceCart, shippingRequiredError } from './price-cart.ts';
import { decodeQuote, type QuoteToken, verifyQuote } from './quote-id.ts';
import { type CartRestorer, rollBackCheckout } from './roll-back-checkout.ts';
import type { CheckoutArgs } from './schemas.ts';

/** Something to be ordered: how it is paid is known before, what it is may be read by the transaction that orders it. */
export interface Purchase {
  businessId: string;
  payment: Pick<PurchaseInput, 'paymentMethod' | 'quote' | 'returnUrl' | 'cancelUrl'>;
  /** What its lines are called in the faults they have. */
  field: 'lines' | 'items';
  /** What a repeated request under the same key must ask for again. */
  operation: string;
  idempotencyArgs: unknown;
  loadInput(tx: Queries): PurchaseInput | Promise<PurchaseInput>;
  /** Puts back what `take` took away, should the order be taken back. */
  restoreCart?: CartRestorer;
}

export const checkout = (
  ctx: Context,
  { businessId, input: { field, ...input } }: CheckoutArgs,
): Promise<CheckoutResult> =>
  purchase(ctx, {
    businessId,
    payment: input,
    field,
    operation: 'checkout',
    idempotencyArgs: { businessId, input },
    loadInput: async (tx) => ({ ...input, ...(await resolveAddresses(ctx, tx, input)) }),
  });

export async function purchase(
  ctx: Context,
  {
    businessId,
    payment,
    field,
    operation,
    idempotencyArgs: asked,
    loadInput: take,
    restoreCart: reopen,
  }: Purchase,
): Promise<CheckoutResult> {
  const urls = requireReturnUrls(ctx.config, payment);
  const paymentMethod = parsePaymentMethod(ctx.config, payment.paymentMethod);
  const quote = payment.quote === undefined ? undefined : await decodeQuote(ctx, payment.quote);
  const outcome = await runIdempotentStoring(
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
    : await readPayableOrder(ctx, outcome.kept.orderId, buildPaymentReference('order', outcome.kept.orderId));
  const { attempt } = placed;
  const { id: orderId, number: orderNumber } = placed.order;
  if (!attempt) return { orderId, orderNumber, status: 'COMPLETED' };
  return {
    orderId,
    orderNumber,
    checkoutUrl: await openOrderPaymentPage(ctx, placed, attempt, urls).catch((error: unknown) =>
      withoutPage(ctx, orderId, error, reopen),
    ),
  };
}

/** Without a page the order is taken back, unless somebody else has made the page. */
async function withoutPage(
  ctx: Context,
  orderId: string,
  error: unknown,
  reopen: CartRestorer | undefined,
): Promise<string> {
  if (error instanceof AppError) throw error;
  ctx.log.error({ err: error, requestId: ctx.request.requestId, orderId }, 'no payment page');
  const url = await rollBackCheckout(ctx, orderId, error instanceof PaymentRejectedError, reopen);
  if (url !== undefined) return url;
  throw toCheckoutError(error, 'The payment provider does not answer. Nothing was ordered, try again.');
}

interface Placing extends Pick<Purchase, 'businessId' | 'field'> {
  input: PurchaseInput;
  paymentMethod: string;
  quote: QuoteToken | undefined;
}

async function place(
  ctx: Context,
  tx: Queries,
  { businessId, input, field, paymentMethod, quote }: Placing,
): Promise<PayableOrder> {
  const cart = await pricedCart(ctx, tx, { businessId, input, field }, quote);
  if (cart.short.length > 0) throw validationError(...cart.short);
  if (cart.shippingMethodId === undefined && cart.shipsHere) throw validationError(shippingRequiredError);
  const wanted = newOrder(ctx, businessId, input, cart, paymentMethod);
  assertPaymentMethodAllowed(paymentMethod, wanted.total);
  // Locked in the order everybody locks: products, promo code, then the number that the order gets.
  const { low, variants } = await moveStock(tx, businessId, stockMovesBetween([], wanted.lines, field), {
    kind: 'ORDER',
    orderId: wanted.id,
    userId: wanted.customerId,
  });
  await reportLowStock(ctx, tx, businessId, low);
  const attempt =
    wanted.expiresAt === undefined
      ? undefined
      : await createFirstAttempt(tx, {
          kind: 'order',
          subjectId: wanted.id,
          amount: wanted.total,
          currency: wanted.currency,
          expiresAt: wanted.expiresAt,
        });
  if (cart.promo && !(await lockPromoCode(tx, cart.promo.id)))
    throw validationError(promoDetail('PROMO_CODE_INVALID'));
  const taken = { ...wanted, lines: withTakenUnits([], wanted.lines, variants) };
  const { order, roomAgainAt } = await insertOrder(ctx, tx, taken, { most: maxCustomerRecordBytes });
  if (roomAgainAt !== undefined) throw unpaidOrderLimitError(ctx, roomAgainAt);
  if (cart.promo && !(await claimPromoCode(tx, cart.promo.id, order.id, order.customerId)))
    throw validationError(promoDetail('PROMO_CODE_EXHAUSTED'));
  if (order.total === 0) await queueOrderConfirmation(ctx, tx, order);
  return { order, attempt, merchant: cart.businessName };
}

/** With a quote its prices count, and what the request leaves out is what was quoted. */
function pricedCart(
  ctx: Context,
  tx: Queries,
  { businessId, input, field }: Pick<Placing, 'businessId' | 'input' | 'field'>,
  quote: QuoteToken | undefined,
): Promise<PricedCart> {
  const request = {
    businessId,
    market: input.market,
    lines: input.items,
    shippingMethodId: input.shippingMethodId,
    promoCode: input.promoCode,
    customerId: ctx.viewer.accountUser?.userId,
    field,
  };
  if (!quote) return priceCart(tx, request);
  const lock = verifyQuote(ctx, quote, request);
  return priceCart(
    tx,
    { ...request, shippingMethodId: lock.shippingMethodId, promoCode: lock.promoCode },
    lock,
  );
}

function newOrder(
  ctx: Context,
  businessId: string,
  input: PurchaseInput,
  cart: PricedCart,
  paymentMethod: string,
): Order {
  const { lines: _lines, ...totals } = cart.price;
  const isFree = totals.total === 0;
  const stamp = createStatusStamper(ctx.viewer);
  const time = now();
  return {
    id: newId(),
    businessId,
    number: 0,
    customerId: ctx.viewer.accountUser?.userId,
    market: cart.market,
    currency: cart.currency,
    lines: cart.lines,
    blocks: input.blocks ?? [],
    shippingAddress: input.shippingAddress,
    billingAddress: input.billingAddress,
    locale: input.locale ?? negotiateLocale(ctx.request.acceptLanguage),
    ...totals,
    taxBps: cart.taxBps,
    promoCode: cart.promo?.code,
    shippingMethodId: cart.shippingMethodId,
    paymentMethod,
    statuses: appendStatusChanges([], [{ status: isFree ? 'PROCESSING' : 'PENDING' }], stamp),
    paymentStatus: appendStatusChanges([], [{ status: isFree ? 'PAID' : 'PENDING' }], stamp),
    expiresAt: isFree ? undefined : time + paymentWindowSeconds,
    heldFrom: isFree ? undefined : hashClientNetwork(ctx),
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}
