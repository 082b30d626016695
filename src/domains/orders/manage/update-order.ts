/** `updateOrder`: changes the fields in the input. Changed lines move stock by the difference; lines are fixed once units are shipped. */

import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size.ts';
import { createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import { type Order, orderTable } from '../model.ts';
import { computeAmountDue } from '../payment/amount-due.ts';
import { paymentWindowSeconds } from '../payment/expire-orders.ts';
import { assertNoPendingRefund } from '../refunds/refund-order.ts';
import type { UpdateOrderArgs } from '../schemas.ts';
import { currentStatus, paymentTransitions, transitionStatus } from '../status-transitions.ts';
import { lockOrder, saveOrder } from '../store.ts';
import { assertOrderCustomer } from './assert-customer.ts';
import { resolveMarketAndCurrency } from './create-order.ts';
import { buildStockMovesBetween, withTakenUnits } from './line-stock.ts';
import { reportLowStock } from './report-low-stock.ts';
import { resolveOrderLines } from './resolve-lines.ts';
import { applyOrderStatusChanges, closeOutdatedPaymentAttempts } from './set-status.ts';
import { allocateDiscountAndTax, resolveOrderTotals } from './totals.ts';

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
    const changed = await syncPaymentPage(ctx, tx, order, fields);
    const moved = await applyOrderStatusChanges(ctx, tx, changed, statusChanges, 'statuses', refund);
    const paymentStatus = transitionStatus(
      order.paymentStatus,
      input.paymentStatus ?? [],
      paymentTransitions,
      createStatusStamper(ctx.viewer),
      'paymentStatus',
    );
    if (paymentStatus.length === order.paymentStatus.length) return saveOrder(ctx, tx, order, moved);
    const recorded = { ...moved, paymentStatus };
    await closeOutdatedPaymentAttempts(ctx, tx, moved, recorded);
    return saveOrder(ctx, tx, order, recorded);
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
  const totals = resolveOrderTotals(lines, input, order);
  return {
    ...order,
    ...terms,
    ...totals,
    lines: allocateDiscountAndTax(lines, totals),
    customerId,
    promoCode: input.promoCode ?? order.promoCode,
    shippingMethodId: input.shippingMethodId ?? order.shippingMethodId,
    blocks: input.blocks ?? order.blocks,
    shippingAddress: input.shippingAddress ?? order.shippingAddress,
    billingAddress: input.billingAddress ?? order.billingAddress,
    locale: input.locale ?? order.locale,
  };
}

/** Closes a payment page whose amount no longer matches, and extends the expiry so that the customer can request a new payment link. */
async function syncPaymentPage(ctx: Context, tx: QueryHandle, before: Order, order: Order): Promise<Order> {
  if (computeAmountDue(order) === computeAmountDue(before)) return order;
  await closeOutdatedPaymentAttempts(ctx, tx, before, order);
  return order.expiresAt === undefined
    ? order
    : { ...order, expiresAt: Math.max(order.expiresAt, now() + paymentWindowSeconds) };
}

/** Market and currency cannot change once a payment was opened or captured. */
async function resolveTerms(tx: QueryHandle, order: Order, { market, currency }: UpdateOrderArgs['input']) {
  const isUnchanged =
    (market === undefined || market === order.market) &&
    (currency === undefined || currency === order.currency);
  if (isUnchanged) return { market: order.market, currency: order.currency };
  if ((order.paymentMethod !== undefined && order.total > 0) || order.captured > 0) {
    throw validationError({
      field: market === undefined || market === order.market ? 'currency' : 'market',
      error: 'ORDER_NOT_EDITABLE',
      message: 'Market and currency cannot be changed after a payment was opened.',
    });
  }
  return resolveMarketAndCurrency(tx, order.businessId, {
    market: market ?? order.market,
    currency: currency ?? (market === undefined ? order.currency : undefined),
  });
}

async function applyLines(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  { lines: inputs }: UpdateOrderArgs['input'],
) {
  if (!inputs) return order.lines;
  const lines = await resolveOrderLines(tx, order, inputs, order.lines);
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
    {
      kind: 'EDIT',
      orderId: order.id,
      userId: ctx.viewer.user?.userId,
    },
  );
  await reportLowStock(ctx, tx, order.businessId, low);
  return withTakenUnits(order.lines, lines, variants);
}

const notEditableError = (message: string) =>
  validationError({ field: 'lines', error: 'ORDER_NOT_EDITABLE', message });

const lineFingerprint = (lines: Order['lines']) =>
  canonicalJson(lines.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice]));
