/** Records an order that was made outside checkout. Stock falls as at checkout. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { sellingTerms } from '../businesses/selling-terms.ts';
import { moveStock } from '../products/move-stock.ts';
import { requestedStatuses, stampFor } from '../shared/history.ts';
import { checkCustomer } from './check-customer.ts';
import type { CreateOrder } from './checks.ts';
import { shippingIn, withAllShipped } from './fulfilment-rules.ts';
import { movesBetween, withTaken } from './line-stock.ts';
import { resolveLines } from './lines.ts';
import { reportLowStock } from './low-stock.ts';
import type { Order } from './model.ts';
import { insertOrder } from './store.ts';
import { checkedTotals, withShares } from './totals.ts';
import { currentOf, moveStatus, orderMoves, paymentMoves } from './transitions.ts';

export function createOrder(ctx: Context, { businessId, input }: CreateOrder): Promise<Order> {
  return once(ctx, 'createOrder', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      const wanted = shippedAtOnce(await newOrder(ctx, tx, businessId, input));
      const takes = currentOf(wanted.statuses) === 'CANCELLED' ? [] : movesBetween([], wanted.lines);
      const cause = { kind: 'ORDER', orderId: wanted.id, userId: ctx.viewer.user?.userId } as const;
      const { low, variants } = await moveStock(tx, businessId, takes, cause);
      await reportLowStock(ctx, tx, businessId, low);
      const taken = { ...wanted, lines: withTaken([], wanted.lines, variants) };
      const { order } = await insertOrder(ctx, tx, taken);
      return order;
    }),
  );
}

/** Staff may record an order that has left the shop already. */
export function shippedAtOnce(order: Order): Order {
  const goods = shippingIn(order.statuses);
  const all = order.lines.map(({ quantity }, line) => ({ line, quantity }));
  return goods ? withAllShipped(order, all, goods, { id: newId(), time: order.createdAt }) : order;
}

async function newOrder(
  ctx: Context,
  tx: Queries,
  businessId: string,
  input: CreateOrder['input'],
): Promise<Order> {
  const terms = await checkedTerms(tx, businessId, input);
  await checkCustomer(tx, businessId, input.customerId);
  const lines = await resolveLines(tx, { businessId, ...terms, customerId: input.customerId }, input.lines);
  const totals = checkedTotals(lines, input);
  const stamp = stampFor(ctx.viewer);
  const statuses = requestedStatuses(input);
  const time = now();
  return {
    id: newId(),
    businessId,
    number: 0,
    customerId: input.customerId,
    ...terms,
    lines: withShares(lines, totals),
    ...totals,
    ...asSent(input),
    statuses: moveStatus(
      [],
      statuses.length > 0 ? statuses : [{ status: 'PENDING' }],
      orderMoves,
      stamp,
      'statuses',
    ),
    paymentStatus: moveStatus(
      [],
      input.paymentStatus?.length ? input.paymentStatus : [{ status: 'PENDING' }],
      paymentMoves,
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
export const asSent = (
  input: Pick<CreateOrder['input'], AsSent | 'blocks'>,
): Pick<Order, AsSent | 'blocks'> => ({
  blocks: input.blocks ?? [],
  shippingAddress: input.shippingAddress,
  billingAddress: input.billingAddress,
  locale: input.locale,
  promoCode: input.promoCode,
  shippingMethodId: input.shippingMethodId,
});

/** A market that the business has fixes the currency; any other needs one to be sent. */
export async function checkedTerms(
  queries: Queries,
  businessId: string,
  { market = '', currency }: { market?: string | undefined; currency?: string | undefined },
): Promise<{ market: string; currency: string }> {
  const { market: known } = await sellingTerms(queries, { businessId, market });
  if (known && currency !== undefined && currency !== known.currency) {
    throw invalid({
      field: 'currency',
      error: 'CURRENCY_MISMATCH',
      message: `This market sells in ${known.currency}.`,
    });
  }
  if (known) return { market: known.code, currency: known.currency };
  if (currency === undefined) {
    throw invalid({
      field: 'market',
      error: 'MARKET_NOT_FOUND',
      message: 'This business does not sell there.',
    });
  }
  return { market, currency };
}
