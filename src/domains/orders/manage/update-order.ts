/** Changes the fields that were sent. Changed lines move stock by the difference, until the order is shipped. */

import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import { type Order, orders } from '../model.ts';
import { amountDue } from '../payment/amount-due.ts';
import { paymentWindowSeconds } from '../payment/expire-orders.ts';
import { assertNoPendingRefund } from '../refunds/refund-order.ts';
import type { UpdateOrderArgs } from '../schemas.ts';
import { currentStatus, paymentTransitions, transitionStatus } from '../status-transitions.ts';
import { lockOrder, saveOrder } from '../store.ts';
import { assertOrderCustomer } from './assert-customer.ts';
import { resolveMarketTerms } from './create-order.ts';
import { stockMovesBetween, withTakenUnits } from './line-stock.ts';
import { reportLowStock } from './report-low-stock.ts';
import { resolveOrderLines } from './resolve-lines.ts';
import { applyStatusChanges, closeOutdatedPaymentPages } from './set-status.ts';
import { resolveTotals, withLineShares } from './totals.ts';

export function updateOrder(
  ctx: Context,
  { businessId, id, version, refund, input }: UpdateOrderArgs,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const requested = toStatusChanges(input);
    const order = await lockOrder(
      tx,
      { businessId, id },
      {
        withStock: input.lines !== undefined || requested.some(({ status }) => status === 'CANCELLED'),
        extraProductIds: input.lines?.map((line) => line.productId) ?? [],
      },
    );
    if (!order) throw notFoundError('Order');
    assertVersion(order.version, version);
    if (input.customerId !== order.customerId) await assertOrderCustomer(tx, businessId, input.customerId);
    const fields = await withFields(ctx, tx, order, input);
    requireRecordSize(orders.updateParams(fields), { before: () => orders.updateParams(order) });
    const changed = await withPage(ctx, tx, order, fields);
    const moved = await applyStatusChanges(ctx, tx, changed, requested, 'statuses', refund);
    const paymentStatus = transitionStatus(
      order.paymentStatus,
      input.paymentStatus ?? [],
      paymentTransitions,
      createStatusStamper(ctx.viewer),
      'paymentStatus',
    );
    if (paymentStatus.length === order.paymentStatus.length) return saveOrder(ctx, tx, order, moved);
    const recorded = { ...moved, paymentStatus };
    await closeOutdatedPaymentPages(ctx, tx, moved, recorded);
    return saveOrder(ctx, tx, order, recorded);
  });
}

async function withFields(
  ctx: Context,
  tx: Queries,
  order: Order,
  input: UpdateOrderArgs['input'],
): Promise<Order> {
  const terms = await changedTerms(tx, order, input);
  const customerId = input.customerId ?? order.customerId;
  const lines = await changedLines(ctx, tx, { ...order, ...terms, customerId }, input);
  const totals = resolveTotals(lines, input, order);
  return {
    ...order,
    ...terms,
    ...totals,
    lines: withLineShares(lines, totals),
    customerId,
    promoCode: input.promoCode ?? order.promoCode,
    shippingMethodId: input.shippingMethodId ?? order.shippingMethodId,
    blocks: input.blocks ?? order.blocks,
    shippingAddress: input.shippingAddress ?? order.shippingAddress,
    billingAddress: input.billingAddress ?? order.billingAddress,
    locale: input.locale ?? order.locale,
  };
}

/** A page that asks for another amount than is due is closed; a new one is asked for with a payment link, in time. */
async function withPage(ctx: Context, tx: Queries, before: Order, order: Order): Promise<Order> {
  if (amountDue(order) === amountDue(before)) return order;
  await closeOutdatedPaymentPages(ctx, tx, before, order);
  return order.expiresAt === undefined
    ? order
    : { ...order, expiresAt: Math.max(order.expiresAt, now() + paymentWindowSeconds) };
}

/** Money that has been asked for, or taken, is in the currency it is in. */
async function changedTerms(tx: Queries, order: Order, { market, currency }: UpdateOrderArgs['input']) {
  const same =
    (market === undefined || market === order.market) &&
    (currency === undefined || currency === order.currency);
  if (same) return { market: order.market, currency: order.currency };
  if ((order.paymentMethod !== undefined && order.total > 0) || order.captured > 0) {
    throw validationError({
      field: market === undefined || market === order.market ? 'currency' : 'market',
      error: 'ORDER_NOT_EDITABLE',
      message: 'Market and currency are fixed once a payment has been asked for.',
    });
  }
  return resolveMarketTerms(tx, order.businessId, {
    market: market ?? order.market,
    currency: currency ?? (market === undefined ? order.currency : undefined),
  });
}

async function changedLines(
  ctx: Context,
  tx: Queries,
  order: Order,
  { lines: inputs }: UpdateOrderArgs['input'],
) {
  if (!inputs) return order.lines;
  const lines = await resolveOrderLines(tx, order, inputs, order.lines);
  if (essence(lines) === essence(order.lines)) return order.lines;
  const status = currentStatus(order.statuses);
  if (status !== 'PENDING' && status !== 'PROCESSING') {
    throw notEditable(`The lines of an order that is ${status} cannot be changed.`);
  }
  if (order.lines.some((line) => line.refunded || line.restocked)) {
    throw notEditable('The lines of an order that was refunded in part cannot be changed.');
  }
  if (order.fulfilments?.length)
    throw notEditable('The lines of an order that was shipped in part cannot be changed.');
  await assertNoPendingRefund(tx, order);
  const { low, variants } = await moveStock(tx, order.businessId, stockMovesBetween(order.lines, lines), {
    kind: 'EDIT',
    orderId: order.id,
    userId: ctx.viewer.user?.userId,
  });
  await reportLowStock(ctx, tx, order.businessId, low);
  return withTakenUnits(order.lines, lines, variants);
}

const notEditable = (message: string) =>
  validationError({ field: 'lines', error: 'ORDER_NOT_EDITABLE', message });

const essence = (lines: Order['lines']) =>
  canonicalJson(lines.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice]));
