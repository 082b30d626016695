/** Builds the order that a checkout places, without storing it: prices, terms, totals and payment attempt. Reads only. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { validationErrorFrom } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { negotiateLocale } from '../../../lib/text/locales.ts';
import { now } from '../../../lib/time.ts';
import { hashClientNetwork } from '../../orders/manage/unpaid-order-limit.ts';
import type { Order } from '../../orders/model.ts';
import { paymentWindowSeconds } from '../../orders/payment/expire-orders.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { buildPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import { appendStatusChanges, createStatusHistoryEntryBuilder } from '../../shared/status-history.ts';
import type { CheckoutValues } from '../checkout-data-types.ts';
import { assertPaymentMethodAllowed } from '../payment-method.ts';
import { type PricedCart, priceCart, shippingMethodRequiredDetail } from '../price-cart.ts';
import { type DecodedQuoteToken, verifyQuoteToken } from '../quote-token.ts';

export interface OrderRequest {
  businessId: string;
  input: CheckoutValues;
  /** Name of the field that holds the lines in the request, for error paths. */
  field: 'lines' | 'items';
  paymentMethod: string;
  quote: DecodedQuoteToken | undefined;
}

export interface UnsavedOrder {
  /** Without number, and without the units that its lines take from stock. */
  order: Order;
  /** Undefined when the total is 0. */
  attempt: PaymentAttempt | undefined;
  cart: PricedCart;
}

/** Rejects an invalid cart with all errors at once. Stock is compared, not locked. */
export async function buildUnsavedOrder(
  ctx: Context,
  queries: QueryHandle,
  { businessId, input, field, paymentMethod, quote }: OrderRequest,
): Promise<UnsavedOrder> {
  const cart = await priceInput(ctx, queries, { businessId, input, field }, quote);
  if (cart.outOfStock.length > 0) throw validationErrorFrom(cart.outOfStock);
  if (cart.shippingMethodId === undefined && cart.shipsHere)
    throw validationErrorFrom([shippingMethodRequiredDetail]);
  const order = buildOrder(ctx, businessId, input, cart, paymentMethod);
  assertPaymentMethodAllowed(paymentMethod, order.total);
  const { id: subjectId, total: amount, currency, expiresAt } = order;
  const attempt =
    expiresAt === undefined
      ? undefined
      : buildPaymentAttempt({ kind: 'order', subjectId, businessId, amount, currency, expiresAt });
  return { order, attempt, cart };
}

/** With a quote its prices apply; shipping method and promo code default to those of the quote. */
function priceInput(
  ctx: Context,
  queries: QueryHandle,
  { businessId, input, field }: Pick<OrderRequest, 'businessId' | 'input' | 'field'>,
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
  if (!quote) return priceCart(queries, request);
  const lock = verifyQuoteToken(quote, request);
  return priceCart(
    queries,
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
  const { subtotal, discount, tax, shipping, total } = cart.price;
  const isFree = total === 0;
  const buildStatusEntry = createStatusHistoryEntryBuilder(ctx.viewer);
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
    contactEmail: input.email || undefined,
    contactPhone: input.phone || undefined,
    locale: input.locale ?? negotiateLocale(ctx.request.acceptLanguage),
    subtotal,
    discount,
    tax,
    shipping,
    total,
    taxBps: cart.taxBps,
    taxSetByStaff: false,
    promoCode: cart.promo?.code,
    shippingMethodId: cart.shippingMethodId,
    paymentMethod,
    statuses: appendStatusChanges([], [{ status: isFree ? 'PROCESSING' : 'PENDING' }], buildStatusEntry),
    paymentStatus: appendStatusChanges([], [{ status: isFree ? 'PAID' : 'PENDING' }], buildStatusEntry),
    expiresAt: isFree ? undefined : time + paymentWindowSeconds,
    heldFrom: isFree ? undefined : hashClientNetwork(ctx),
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}
