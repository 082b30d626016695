/** Changes the fields that were sent. Changed lines move stock by the difference, until the order is shipped. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { moveStock } from '../products/move-stock.ts';
import { requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import { amountDue } from './amount-due.ts';
import { closeStalePages, withOrderStatuses } from './change-status.ts';
import { checkCustomer } from './check-customer.ts';
import type { UpdateOrder } from './checks.ts';
import { checkedTerms } from './create-order.ts';
import { paymentSeconds } from './expiry.ts';
import { movesBetween, withTaken } from './line-stock.ts';
import { resolveLines } from './lines.ts';
import { reportLowStock } from './low-stock.ts';
import { type Order, orders } from './model.ts';
import { refuseWhileRefunding } from './refunds.ts';
import { lockOrder, saveOrder } from './store.ts';
import { checkedTotals, withShares } from './totals.ts';
import { currentOf, moveStatus, paymentMoves } from './transitions.ts';

export function updateOrder(
  ctx: Context,
  { businessId, id, version, refund, input }: UpdateOrder,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const requested = requestedStatuses(input);
    const order = await lockOrder(
      tx,
      { businessId, id },
      {
        withStock: input.lines !== undefined || requested.some(({ status }) => status === 'CANCELLED'),
        products: input.lines?.map((line) => line.productId) ?? [],
      },
    );
    if (!order) throw notFound('Order');
    expectVersion(order.version, version);
    if (input.customerId !== order.customerId) await checkCustomer(tx, businessId, input.customerId);
    const fields = await withFields(ctx, tx, order, input);
    fitting(orders.updateParams(fields), { before: () => orders.updateParams(order) });
    const changed = await withPage(ctx, tx, order, fields);
    const moved = await withOrderStatuses(ctx, tx, changed, requested, 'statuses', refund);
    const paymentStatus = moveStatus(
      order.paymentStatus,
      input.paymentStatus ?? [],
      paymentMoves,
      stampFor(ctx.viewer),
      'paymentStatus',
    );
    if (paymentStatus.length === order.paymentStatus.length) return saveOrder(ctx, tx, order, moved);
    const recorded = { ...moved, paymentStatus };
    await closeStalePages(ctx, tx, moved, recorded);
    return saveOrder(ctx, tx, order, recorded);
  });
}

async function withFields(
  ctx: Context,
  tx: Queries,
  order: Order,
  input: UpdateOrder['input'],
): Promise<Order> {
  const terms = await changedTerms(tx, order, input);
  const customerId = input.customerId ?? order.customerId;
  const lines = await changedLines(ctx, tx, { ...order, ...terms, customerId }, input);
  const totals = checkedTotals(lines, input, order);
  return {
    ...order,
    ...terms,
    ...totals,
    lines: withShares(lines, totals),
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
  await closeStalePages(ctx, tx, before, order);
  return order.expiresAt === undefined
    ? order
    : { ...order, expiresAt: Math.max(order.expiresAt, now() + paymentSeconds) };
}

/** Money that has been asked for, or taken, is in the currency it is in. */
async function changedTerms(tx: Queries, order: Order, { market, currency }: UpdateOrder['input']) {
  const same =
    (market === undefined || market === order.market) &&
    (currency === undefined || currency === order.currency);
  if (same) return { market: order.market, currency: order.currency };
  if ((order.paymentMethod !== undefined && order.total > 0) || order.captured > 0) {
    throw invalid({
      field: market === undefined || market === order.market ? 'currency' : 'market',
      error: 'ORDER_NOT_EDITABLE',
      message: 'Market and currency are fixed once a payment has been asked for.',
    });
  }
  return checkedTerms(tx, order.businessId, {
    market: market ?? order.market,
    currency: currency ?? (market === undefined ? order.currency : undefined),
  });
}

async function changedLines(
  ctx: Context,
  tx: Queries,
  order: Order,
  { lines: inputs }: UpdateOrder['input'],
) {
  if (!inputs) return order.lines;
  const lines = await resolveLines(tx, order, inputs, order.lines);
  if (essence(lines) === essence(order.lines)) return order.lines;
  const status = currentOf(order.statuses);
  if (status !== 'PENDING' && status !== 'PROCESSING') {
    throw notEditable(`The lines of an order that is ${status} cannot be changed.`);
  }
  if (order.lines.some((line) => line.refunded || line.restocked)) {
    throw notEditable('The lines of an order that was refunded in part cannot be changed.');
  }
  if (order.fulfilments?.length)
    throw notEditable('The lines of an order that was shipped in part cannot be changed.');
  await refuseWhileRefunding(tx, order);
  const { low, variants } = await moveStock(tx, order.businessId, movesBetween(order.lines, lines), {
    kind: 'EDIT',
    orderId: order.id,
    userId: ctx.viewer.user?.userId,
  });
  await reportLowStock(ctx, tx, order.businessId, low);
  return withTaken(order.lines, lines, variants);
}

const notEditable = (message: string) => invalid({ field: 'lines', error: 'ORDER_NOT_EDITABLE', message });

const essence = (lines: Order['lines']) =>
  canonicalJson(lines.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice]));
