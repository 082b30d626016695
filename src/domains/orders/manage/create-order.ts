/** Records an order that was made outside checkout. Stock falls as at checkout. */

import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { loadSellingTerms } from '../../businesses/selling-terms.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import { fulfilRemaining, requestedFulfilmentStatus } from '../fulfilment/rules.ts';
import type { Order } from '../model.ts';
import type { CreateOrderArgs } from '../schemas.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionStatus,
} from '../status-transitions.ts';
import { insertOrder } from '../store.ts';
import { assertOrderCustomer } from './assert-customer.ts';
import { stockMovesBetween, withTakenUnits } from './line-stock.ts';
import { reportLowStock } from './report-low-stock.ts';
import { resolveOrderLines } from './resolve-lines.ts';
import { resolveTotals, withLineShares } from './totals.ts';

export function createOrder(ctx: Context, { businessId, input }: CreateOrderArgs): Promise<Order> {
  return runIdempotent(ctx, 'createOrder', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      const wanted = withInitialFulfilment(await newOrder(ctx, tx, businessId, input));
      const takes = currentStatus(wanted.statuses) === 'CANCELLED' ? [] : stockMovesBetween([], wanted.lines);
      const cause = { kind: 'ORDER', orderId: wanted.id, userId: ctx.viewer.user?.userId } as const;
      const { low, variants } = await moveStock(tx, businessId, takes, cause);
      await reportLowStock(ctx, tx, businessId, low);
      const taken = { ...wanted, lines: withTakenUnits([], wanted.lines, variants) };
      const { order } = await insertOrder(ctx, tx, taken);
      return order;
    }),
  );
}

/** Staff may record an order that has left the shop already. */
export function withInitialFulfilment(order: Order): Order {
  const goods = requestedFulfilmentStatus(order.statuses);
  const all = order.lines.map(({ quantity }, line) => ({ line, quantity }));
  return goods ? fulfilRemaining(order, all, goods, { id: newId(), time: order.createdAt }) : order;
}

async function newOrder(
  ctx: Context,
  tx: Queries,
  businessId: string,
  input: CreateOrderArgs['input'],
): Promise<Order> {
  const terms = await resolveMarketTerms(tx, businessId, input);
  await assertOrderCustomer(tx, businessId, input.customerId);
  const lines = await resolveOrderLines(
    tx,
    { businessId, ...terms, customerId: input.customerId },
    input.lines,
  );
  const totals = resolveTotals(lines, input);
  const stamp = createStatusStamper(ctx.viewer);
  const statuses = toStatusChanges(input);
  const time = now();
  return {
    id: newId(),
    businessId,
    number: 0,
    customerId: input.customerId,
    ...terms,
    lines: withLineShares(lines, totals),
    ...totals,
    ...copyInputFields(input),
    statuses: transitionStatus(
      [],
      statuses.length > 0 ? statuses : [{ status: 'PENDING' }],
      orderTransitions,
      stamp,
      'statuses',
    ),
    paymentStatus: transitionStatus(
      [],
      input.paymentStatus?.length ? input.paymentStatus : [{ status: 'PENDING' }],
      paymentTransitions,
      stamp,
      'paymentStatus',
    ),
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

type AsSent = 'shippingAddress' | 'billingAddress' | 'locale' | 'promoCode' | 'shippingMethodId';

/** What an order takes over as it was sent. */
export const copyInputFields = (
  input: Pick<CreateOrderArgs['input'], AsSent | 'blocks'>,
): Pick<Order, AsSent | 'blocks'> => ({
  blocks: input.blocks ?? [],
  shippingAddress: input.shippingAddress,
  billingAddress: input.billingAddress,
  locale: input.locale,
  promoCode: input.promoCode,
  shippingMethodId: input.shippingMethodId,
});

/** A market that the business has fixes the currency; any other needs one to be sent. */
export async function resolveMarketTerms(
  queries: Queries,
  businessId: string,
  { market = '', currency }: { market?: string | undefined; currency?: string | undefined },
): Promise<{ market: string; currency: string }> {
  const { market: known } = await loadSellingTerms(queries, { businessId, market });
  if (known && currency !== undefined && currency !== known.currency) {
    throw validationError({
      field: 'currency',
      error: 'CURRENCY_MISMATCH',
      message: `This market sells in ${known.currency}.`,
    });
  }
  if (known) return { market: known.code, currency: known.currency };
  if (currency === undefined) {
    throw validationError({
      field: 'market',
      error: 'MARKET_NOT_FOUND',
      message: 'This business does not sell there.',
    });
  }
  return { market, currency };
}
