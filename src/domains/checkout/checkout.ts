/** `checkout`: places an order from a cart, then opens the payment page. */
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { AppError } from '../../errors.ts';
import { runIdempotentStoringPart } from '../../idempotency.ts';
import { isTimeoutError } from '../../lib/async/deadline.ts';
import { PaymentRejectedError } from '../../ports/payments.ts';
import {
  openOrderPaymentSession,
  type PayableOrder,
  requirePayableOrder,
} from '../orders/payment/open-payment-session.ts';
import { buildPaymentReference } from '../payments/model.ts';
import { toCheckoutError } from '../payments/open-checkout-session.ts';
import { resolvePaymentReturnUrls } from '../payments/return-urls.ts';
import { resolveCheckoutAddresses } from './checkout-addresses.ts';
import type { CheckoutResult, CheckoutValues } from './checkout-data-types.ts';
import { parsePaymentMethod } from './payment-method.ts';
import type { OrderRequest } from './placement/build-unsaved-order.ts';
import {
  type IdempotentRetryIdentity,
  placeOrderInOneStatement,
} from './placement/place-order-in-one-statement.ts';
import { placeOrderInTransaction } from './placement/place-order-in-transaction.ts';
import { type PrepareCartRestore, rollBackCheckout } from './placement/roll-back-checkout.ts';
import { decodeQuoteToken } from './quote-token.ts';
import type { CheckoutArgs } from './schemas.ts';

/** A purchase. Payment details are given up front; the content may be read inside the transaction, such as from a stored cart. */
interface CheckoutRequest extends IdempotentRetryIdentity {
  businessId: string;
  payment: Pick<CheckoutValues, 'paymentMethod' | 'quote' | 'returnUrl' | 'cancelUrl'>;
  /** Name of the field that holds the lines in the request, for error paths. */
  field: 'lines' | 'items';
  loadInput(queries: QueryHandle): CheckoutValues | Promise<CheckoutValues>;
  /** Present when `loadInput` takes the content from a stored cart, in a transaction. Undoes it when the order is rolled back. */
  restoreCart?: PrepareCartRestore;
}

export const checkout = (
  ctx: Context,
  { businessId, input: { field, ...input } }: CheckoutArgs,
): Promise<CheckoutResult> =>
  placeOrderAndOpenPaymentPage(ctx, {
    businessId,
    payment: input,
    field,
    operation: 'checkout',
    idempotencyArgs: { businessId, input },
    loadInput: async (tx) => ({ ...input, ...(await resolveCheckoutAddresses(ctx, tx, input)) }),
  });

export async function placeOrderAndOpenPaymentPage(
  ctx: Context,
  request: CheckoutRequest,
): Promise<CheckoutResult> {
  const { businessId, payment, field, restoreCart } = request;
  const urls = resolvePaymentReturnUrls(ctx.config, payment);
  const paymentMethod = parsePaymentMethod(ctx.config, payment.paymentMethod);
  const quote = payment.quote === undefined ? undefined : await decodeQuoteToken(ctx, payment.quote);
  const loadRequest = async (queries: QueryHandle) => ({
    businessId,
    input: await request.loadInput(queries),
    field,
    paymentMethod,
    quote,
  });
  const placed =
    (restoreCart ? undefined : await placeOrderInOneStatement(ctx, loadRequest, request, urls)) ??
    (await placeOrderOnce(ctx, loadRequest, request));
  const { attempt } = placed;
  const { id: orderId, number: orderNumber } = placed.order;
  if (!attempt) return { businessId, orderId, orderNumber, status: 'COMPLETED' };
  return {
    businessId,
    orderId,
    orderNumber,
    checkoutUrl: await openOrderPaymentSession(ctx, placed, attempt, urls).catch((error: unknown) =>
      handlePageError(ctx, orderId, error, restoreCart),
    ),
  };
}

/** Places the order in a transaction, or returns the order that an earlier request with the same Idempotency-Key placed. */
async function placeOrderOnce(
  ctx: Context,
  loadRequest: (queries: QueryHandle) => Promise<OrderRequest>,
  { operation, idempotencyArgs }: IdempotentRetryIdentity,
): Promise<PayableOrder> {
  const outcome = await runIdempotentStoringPart(
    ctx,
    operation,
    idempotencyArgs,
    (queries) => queries.transaction(async (tx) => placeOrderInTransaction(ctx, tx, await loadRequest(tx))),
    ({ order }) => ({ orderId: order.id }),
  );
  if (outcome.isNew) return outcome.result;
  // A retry also opens the payment page if the process crashed after the order was committed.
  const { orderId } = outcome.stored;
  return requirePayableOrder(ctx, orderId, buildPaymentReference('order', orderId));
}

/** Rolls the order back, unless a concurrent request has opened its payment page. */
async function handlePageError(
  ctx: Context,
  orderId: string,
  error: unknown,
  restoreCart: PrepareCartRestore | undefined,
): Promise<string> {
  if (error instanceof AppError && !isTimeoutError(error)) throw error;
  ctx.log.error(
    { err: error, requestId: ctx.request.requestId, orderId },
    'opening the payment page failed, rolling the order back',
  );
  const url = await rollBackCheckout(ctx, orderId, error instanceof PaymentRejectedError, restoreCart);
  if (url !== undefined) return url;
  throw toCheckoutError(error, 'The payment provider is unavailable. No order was placed, try again.');
}
