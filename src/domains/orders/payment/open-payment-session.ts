/** Payment page of an order at the payment provider. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { AppError, notFoundError } from '../../../errors.ts';
import type { PaymentLine } from '../../../ports/payments.ts';
import { loadBusinessName } from '../../businesses/manage-businesses.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { type CheckoutSessionRequest, openCheckoutSession } from '../../payments/open-checkout-session.ts';
import { addSubjectToReturnUrls, type PaymentReturnUrls } from '../../payments/return-urls.ts';
import { findPaymentAttemptByReference } from '../../payments/stored-payment-attempts.ts';
import { loadUserContactDetails } from '../../users/people/load-contact-details.ts';
import type { Order } from '../model.ts';
import { findStoredOrder } from '../read/find-and-lock-stored-order.ts';

export interface PayableOrder {
  order: Order;
  /** Undefined when the amount due is 0. */
  attempt: PaymentAttempt | undefined;
  /** Name of the business, shown on the payment page. */
  merchant: string;
  /** Address of the customer's account. */
  customerEmail: string | undefined;
}

export async function requirePayableOrder(
  ctx: Context,
  orderId: string,
  reference: string,
): Promise<PayableOrder> {
  const order = await findStoredOrder(ctx.db, orderId);
  if (!order) throw notFoundError('Order');
  const attempt = await findPaymentAttemptByReference(ctx.db, reference);
  return {
    order,
    attempt,
    merchant: await loadBusinessName(ctx.db, order.businessId),
    customerEmail: await loadPayerEmail(ctx, ctx.db, order),
  };
}

/** Returns the URL of the page. An earlier request may have opened the attempt and crashed before it responded. */
export async function openOrderPaymentSession(
  ctx: Context,
  payable: PayableOrder,
  attempt: PaymentAttempt,
  urls: PaymentReturnUrls,
): Promise<string> {
  if (attempt.url !== undefined) return attempt.url;
  if (attempt.state !== 'NEW') throw notPayableError();
  const url = await openCheckoutSession(ctx, attempt, buildPaymentPageContent(payable, attempt.amount, urls));
  if (url === undefined) throw notPayableError();
  return url;
}

export const buildPaymentPageContent = (
  { order, merchant, customerEmail }: Omit<PayableOrder, 'attempt'>,
  amount: number,
  urls: PaymentReturnUrls,
): CheckoutSessionRequest => ({
  merchant,
  title: pageTitle(order),
  lines: paymentLines(order, amount),
  customerEmail: customerEmail ?? order.contactEmail,
  ...addSubjectToReturnUrls(urls, 'orderId', order.id),
});

/** SQL: the session request of a new order, with its number, and with the address of the customer's account unless that is null. */
export const buildSessionRequestWithNumberSql = (request: string, number: string, email: string): string =>
  `${request}::jsonb || jsonb_strip_nulls(jsonb_build_object('title', 'Order ' || ${number}, 'customerEmail', ${email}))`;

const notPayableError = () =>
  new AppError('CONFLICT', 'This order can no longer be paid. Check out again under a new Idempotency-Key.');

/** Guests have no address of their own. */
export const loadPayerEmail = async (
  ctx: Context,
  queries: QueryHandle,
  { customerId }: Order,
): Promise<string | undefined> =>
  customerId === undefined || ctx.viewer.user?.isGuest
    ? undefined
    : (await loadUserContactDetails(queries, [customerId])).get(customerId)?.email;

const pageTitle = ({ number }: Order): string => `Order ${number}`;

/** Line items that add up to `amount`: order lines after discount, tax, shipping; a single item when `amount` is not the order total. */
function paymentLines(order: Order, amount: number): PaymentLine[] {
  if (amount !== order.total) return [{ name: pageTitle(order), quantity: 1, amount }];
  const items = order.lines.map(({ name, variantName, quantity, totalPrice, discount }) => ({
    name: variantName ? `${name}, ${variantName}` : name,
    quantity,
    amount: totalPrice - discount,
  }));
  const extras = [
    { name: 'Tax', quantity: 1, amount: order.tax },
    { name: 'Shipping', quantity: 1, amount: order.shipping },
  ];
  return [...items, ...extras.filter((extra) => extra.amount > 0)];
}
