/** `checkout`: creates an order from a cart. Stock, promo code and order in one transaction; then opens the payment page. */

import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { AppError, validationError } from '../../errors.ts';
import { runIdempotentStoring } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { negotiateLocale } from '../../lib/text/locales.ts';
import { now } from '../../lib/time.ts';
import { PaymentRejectedError } from '../../ports/payments.ts';
import { claimPromoCode, lockPromoCode } from '../businesses/promo-codes/promo-claims.ts';
import { queueOrderConfirmationMail } from '../orders/mail/queue-order-mails.ts';
import { buildStockMovesBetween, withTakenUnits } from '../orders/manage/line-stock.ts';
import { reportLowStock } from '../orders/manage/report-low-stock.ts';
import { hashClientNetwork, unpaidOrderLimitError } from '../orders/manage/unpaid-order-limit.ts';
import type { Order } from '../orders/model.ts';
import { paymentWindowSeconds } from '../orders/payment/expire-orders.ts';
import {
  openOrderPaymentSession,
  type PayableOrder,
  readPayableOrder,
} from '../orders/payment/open-payment-session.ts';
import { insertOrder } from '../orders/store.ts';
import { toCheckoutError } from '../payments/checkout-session.ts';
import { buildPaymentReference } from '../payments/model.ts';
import { createFirstPaymentAttempt } from '../payments/payment-attempts.ts';
import { resolvePaymentReturnUrls } from '../payments/return-urls.ts';
import { toPromoCodeErrorDetail } from '../pricing/promo-code.ts';
import { moveStock } from '../products/stock/move-stock.ts';
import { maxCustomerRecordBytes } from '../shared/record-size.ts';
import { appendStatusChanges, createStatusStamper } from '../shared/status-history.ts';
import { resolveCheckoutAddresses } from './addresses.ts';
import type { CheckoutResult, CheckoutValues } from './model.ts';
import { assertPaymentMethodAllowed, parsePaymentMethod } from './payment-method.ts';
import { type PricedCart, priceCart, shippingMethodRequiredDetail } from './price-cart.ts';
import { type DecodedQuoteToken, decodeQuoteToken, verifyQuoteToken } from './quote-token.ts';
import { type PrepareCartRestore, rollBackCheckout } from './roll-back-checkout.ts';
import type { CheckoutArgs } from './schemas.ts';

/** A purchase. Payment details are given up front; the content may be read inside the transaction, such as from a stored cart. */
export interface CheckoutRequest {
  businessId: string;
  payment: Pick<CheckoutValues, 'paymentMethod' | 'quote' | 'returnUrl' | 'cancelUrl'>;
  /** Name of the field that holds the lines in the request, for error paths. */
  field: 'lines' | 'items';
  /** Operation and arguments that identify a retry with the same Idempotency-Key. */
  operation: string;
  idempotencyArgs: unknown;
  loadInput(tx: QueryHandle): CheckoutValues | Promise<CheckoutValues>;
  /** Undoes `loadInput` when the order is rolled back: restores the content of the cart. */
  restoreCart?: PrepareCartRestore;
}

export const checkout = (
  ctx: Context,
  { businessId, input: { field, ...input } }: CheckoutArgs,
): Promise<CheckoutResult> =>
  runCheckout(ctx, {
    businessId,
    payment: input,
    field,
    operation: 'checkout',
    idempotencyArgs: { businessId, input },
    loadInput: async (tx) => ({ ...input, ...(await resolveCheckoutAddresses(ctx, tx, input)) }),
  });

export async function runCheckout(
  ctx: Context,
  { businessId, payment, field, operation, idempotencyArgs, loadInput, restoreCart }: CheckoutRequest,
): Promise<CheckoutResult> {
  const urls = resolvePaymentReturnUrls(ctx.config, payment);
  const paymentMethod = parsePaymentMethod(ctx.config, payment.paymentMethod);
  const quote = payment.quote === undefined ? undefined : await decodeQuoteToken(ctx, payment.quote);
  const outcome = await runIdempotentStoring(
    ctx,
    operation,
    idempotencyArgs,
    (queries) =>
      queries.transaction(async (tx) =>
        placeOrder(ctx, tx, { businessId, input: await loadInput(tx), field, paymentMethod, quote }),
      ),
    ({ order }) => ({ orderId: order.id }),
  );
  // A retry also opens the payment page if the process crashed after the order was committed.
  const placed = outcome.isNew
    ? outcome.result
    : await readPayableOrder(
        ctx,
        outcome.stored.orderId,
        buildPaymentReference('order', outcome.stored.orderId),
      );
  const { attempt } = placed;
  const { id: orderId, number: orderNumber } = placed.order;
  if (!attempt) return { orderId, orderNumber, status: 'COMPLETED' };
  return {
    orderId,
    orderNumber,
    checkoutUrl: await openOrderPaymentSession(ctx, placed, attempt, urls).catch((error: unknown) =>
      handlePageError(ctx, orderId, error, restoreCart),
    ),
  };
}

/** Rolls the order back, unless a concurrent request has opened its payment page. */
async function handlePageError(
  ctx: Context,
  orderId: string,
  error: unknown,
  restoreCart: PrepareCartRestore | undefined,
): Promise<string> {
  if (error instanceof AppError) throw error;
  ctx.log.error(
    { err: error, requestId: ctx.request.requestId, orderId },
    'opening the payment page failed, rolling the order back',
  );
  const url = await rollBackCheckout(ctx, orderId, error instanceof PaymentRejectedError, restoreCart);
  if (url !== undefined) return url;
  throw toCheckoutError(error, 'The payment provider is unavailable. No order was placed, try again.');
}

interface OrderPlacement extends Pick<CheckoutRequest, 'businessId' | 'field'> {
  input: CheckoutValues;
  paymentMethod: string;
  quote: DecodedQuoteToken | undefined;
}

async function placeOrder(
  ctx: Context,
  tx: QueryHandle,
  { businessId, input, field, paymentMethod, quote }: OrderPlacement,
): Promise<PayableOrder> {
  const cart = await priceInput(ctx, tx, { businessId, input, field }, quote);
  if (cart.outOfStock.length > 0) throw validationError(...cart.outOfStock);
  if (cart.shippingMethodId === undefined && cart.shipsHere)
    throw validationError(shippingMethodRequiredDetail);
  const draft = buildOrder(ctx, businessId, input, cart, paymentMethod);
  assertPaymentMethodAllowed(paymentMethod, draft.total);
  // Lock order, the same in all transactions: products, promo code, order number.
  const { low, variants } = await moveStock(tx, businessId, buildStockMovesBetween([], draft.lines, field), {
    kind: 'ORDER',
    orderId: draft.id,
    userId: draft.customerId,
  });
  await reportLowStock(ctx, tx, businessId, low);
  const attempt =
    draft.expiresAt === undefined
      ? undefined
      : await createFirstPaymentAttempt(tx, {
          kind: 'order',
          subjectId: draft.id,
          amount: draft.total,
          currency: draft.currency,
          expiresAt: draft.expiresAt,
        });
  if (cart.promo && !(await lockPromoCode(tx, cart.promo.id)))
    throw validationError(toPromoCodeErrorDetail('PROMO_CODE_INVALID'));
  const reserved = { ...draft, lines: withTakenUnits([], draft.lines, variants) };
  const { order, limitResetAt } = await insertOrder(ctx, tx, reserved, { maxBytes: maxCustomerRecordBytes });
  if (limitResetAt !== undefined) throw unpaidOrderLimitError(ctx, limitResetAt);
  if (cart.promo && !(await claimPromoCode(tx, cart.promo.id, order.id, order.customerId)))
    throw validationError(toPromoCodeErrorDetail('PROMO_CODE_EXHAUSTED'));
  if (order.total === 0) await queueOrderConfirmationMail(ctx, tx, order);
  return { order, attempt, merchant: cart.businessName };
}

/** With a quote its prices apply; shipping method and promo code default to those of the quote. */
function priceInput(
  ctx: Context,
  tx: QueryHandle,
  { businessId, input, field }: Pick<OrderPlacement, 'businessId' | 'input' | 'field'>,
  quote: DecodedQuoteToken | undefined,
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
  const lock = verifyQuoteToken(ctx, quote, request);
  return priceCart(
    tx,
    { ...request, shippingMethodId: lock.shippingMethodId, promoCode: lock.promoCode },
    lock,
  );
}

function buildOrder(
  ctx: Context,
  businessId: string,
  input: CheckoutValues,
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
