/** `updateOrder`: changes the fields in the input. Changed lines move stock by the difference; lines are fixed once units are shipped. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { loadSellingTerms } from '../../businesses/selling-terms.ts';
import { findOpenPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { createStatusHistoryEntryBuilder, toStatusChanges } from '../../shared/status-history.ts';
import { computeNextOrderLinkVersion } from '../guests/order-links.ts';
import { type Order, orderTable } from '../model.ts';
import { computeAmountDue } from '../payment/amount-due.ts';
import { paymentWindowSeconds } from '../payment/expire-orders.ts';
import { markFreeOrderPaid } from '../payment/free-order-rules.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { assertNoPendingRefund } from '../refunds/refund-order.ts';
import type { UpdateOrderArgs } from '../schemas.ts';
import { currentStatus, paymentTransitions, transitionStatus } from '../status-transitions.ts';
import { assertOrderCustomer } from './assert-order-customer.ts';
import { resolveMarketAndCurrency } from './create-order.ts';
import { saveOrder } from './insert-save-and-delete-order.ts';
import { buildStockMovesBetween, setTakenUnits } from './line-stock-moves.ts';
import { computeUpdatedOrderTotals } from './order-totals.ts';
import { reportLowStock } from './report-low-stock.ts';
import { resolveOrderLines } from './resolve-order-lines.ts';
import { applyOrderStatusChanges } from './set-order-and-payment-status.ts';

export function updateOrder(
  ctx: Context,
  { businessId, id, version, refund, input }: UpdateOrderArgs,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const statusChanges = toStatusChanges(input);
    const order = await lockOrder(
      tx,
      { businessId, id },
      {
        withStock: input.lines !== undefined || statusChanges.some(({ status }) => status === 'CANCELLED'),
        extraProductIds: input.lines?.map((line) => line.productId) ?? [],
      },
    );
    if (!order) throw notFoundError('Order');
    assertExpectedVersion(order.version, version);
    if (input.customerId !== order.customerId) await assertOrderCustomer(tx, businessId, input.customerId);
    const fields = await applyInput(ctx, tx, order, input);
    requireRecordWithinSizeLimit(orderTable.updateParams(fields), {
      before: () => orderTable.updateParams(order),
    });
    const changed = extendExpiry(order, fields);
    const moved = await applyOrderStatusChanges(ctx, tx, changed, statusChanges, 'statuses', refund);
    const paymentStatus = transitionStatus(
      order.paymentStatus,
      input.paymentStatus ?? [],
      paymentTransitions,
      createStatusHistoryEntryBuilder(ctx.viewer),
      'paymentStatus',
    );
    const recorded =
      paymentStatus.length === order.paymentStatus.length ? moved : { ...moved, paymentStatus };
    return saveOrder(ctx, tx, order, markFreeOrderPaid(recorded));
  });
}

async function applyInput(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  input: UpdateOrderArgs['input'],
): Promise<Order> {
  const terms = await resolveTerms(tx, order, input);
  const customerId = input.customerId ?? order.customerId;
  const lines = await applyLines(ctx, tx, { ...order, ...terms, customerId }, input);
  return {
    ...order,
    ...terms,
    ...computeUpdatedOrderTotals({ ...order, ...terms }, lines, input),
    customerId,
    promoCode: input.promoCode ?? order.promoCode,
    shippingMethodId: input.shippingMethodId ?? order.shippingMethodId,
    blocks: input.blocks ?? order.blocks,
    shippingAddress: input.shippingAddress ?? order.shippingAddress,
    billingAddress: input.billingAddress ?? order.billingAddress,
    ...updateContact(order, input),
    locale: input.locale ?? order.locale,
  };
}

/** A corrected address revokes the order links that were mailed to the previous one. */
function updateContact(
  order: Order,
  { contactEmail = order.contactEmail, contactPhone = order.contactPhone }: UpdateOrderArgs['input'],
): Pick<Order, 'contactEmail' | 'contactPhone' | 'linkVersion'> {
  const isReplaced = order.contactEmail !== undefined && contactEmail !== order.contactEmail;
  return {
    contactEmail,
    contactPhone,
    linkVersion: isReplaced ? computeNextOrderLinkVersion(order) : order.linkVersion,
  };
}

/** Another amount due closes the payment page: the expiry leaves time to request a new payment link. */
const extendExpiry = (before: Order, order: Order): Order =>
  computeAmountDue(order) === computeAmountDue(before) || order.expiresAt === undefined
    ? order
    : { ...order, expiresAt: Math.max(order.expiresAt, now() + paymentWindowSeconds) };

/** Market and currency cannot change while a payment is open, nor after one was captured or recorded. */
async function resolveTerms(tx: QueryHandle, order: Order, { market, currency }: UpdateOrderArgs['input']) {
  const isUnchanged =
    (market === undefined || market === order.market) &&
    (currency === undefined || currency === order.currency);
  if (isUnchanged) return { market: order.market, currency: order.currency };
  if (await hasPayment(tx, order)) {
    throw validationError(
      market === undefined || market === order.market ? 'currency' : 'market',
      'ORDER_NOT_EDITABLE',
      'Market and currency cannot be changed after a payment was opened.',
    );
  }
  return resolveMarketAndCurrency(tx, order.businessId, {
    market: market ?? order.market,
    currency: currency ?? (market === undefined ? order.currency : undefined),
  });
}

/** Orders from checkout with an amount count from the start: their payment page is opened with them. */
async function hasPayment(tx: QueryHandle, order: Order): Promise<boolean> {
  const payment = currentStatus(order.paymentStatus);
  const isRecordedAsPaid = payment !== 'PENDING' && payment !== 'FAILED';
  return (
    order.captured > 0 ||
    (order.total > 0 && (order.paymentMethod !== undefined || isRecordedAsPaid)) ||
    (await findOpenPaymentAttempt(tx, 'order', order.id)) !== undefined
  );
}

async function applyLines(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  { lines: inputs }: UpdateOrderArgs['input'],
) {
  if (!inputs) return order.lines;
  const taxRates = order.taxBps === undefined ? undefined : await loadTaxRates(tx, order);
  const lines = await resolveOrderLines(tx, { ...order, taxRates }, inputs, order.lines);
  if (lineFingerprint(lines) === lineFingerprint(order.lines)) return order.lines;
  const status = currentStatus(order.statuses);
  if (status !== 'PENDING' && status !== 'PROCESSING') {
    throw notEditableError(`The lines of an order in status ${status} cannot be changed.`);
  }
  if (order.lines.some((line) => line.refunded || line.restocked)) {
    throw notEditableError('The lines of a partially refunded order cannot be changed.');
  }
  if (order.fulfilments?.length)
    throw notEditableError('The lines of a partially shipped order cannot be changed.');
  await assertNoPendingRefund(tx, order);
  const { low, variants } = await moveStock(
    tx,
    order.businessId,
    buildStockMovesBetween(order.lines, lines),
    { kind: 'EDIT', orderId: order.id, userId: ctx.viewer.user?.userId },
  );
  await reportLowStock(ctx, tx, order.businessId, low);
  return setTakenUnits(order.lines, lines, variants);
}

const loadTaxRates = async (tx: QueryHandle, { businessId, market }: Order) =>
  (await loadSellingTerms(tx, { businessId, market })).market?.taxRates ?? undefined;

const notEditableError = (message: string) => validationError('lines', 'ORDER_NOT_EDITABLE', message);

const lineFingerprint = (lines: Order['lines']) =>
  canonicalJson(lines.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice]));
