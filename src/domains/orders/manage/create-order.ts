/** `createOrder`: staff record an order made outside checkout. Stock is reserved as at checkout. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { loadSellingTerms } from '../../businesses/selling-terms.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { createStatusHistoryEntryBuilder, toStatusChanges } from '../../shared/status-history.ts';
import { createQuotaCheckedInsert } from '../../shared/storage-and-record-quotas.ts';
import { deriveFulfilmentStatus, shipOrDeliverWholeOrder } from '../fulfilment/fulfilment-rules.ts';
import type { Order } from '../model.ts';
import type { CreateOrderArgs } from '../schemas.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionStatus,
} from '../status-transitions.ts';
import { assertOrderCustomer } from './assert-order-customer.ts';
import { insertOrder } from './insert-save-and-delete-order.ts';
import { buildStockMovesBetween, setTakenUnits } from './line-stock-moves.ts';
import { allocateDiscountAndTax, resolveOrderTotals } from './order-totals.ts';
import { reportLowStock } from './report-low-stock.ts';
import { resolveOrderLines } from './resolve-order-lines.ts';

export function createOrder(ctx: Context, { businessId, input }: CreateOrderArgs): Promise<Order> {
  return runIdempotent(
    ctx,
    'createOrder',
    { businessId, input },
    createQuotaCheckedInsert(ctx, 'orders', businessId, (queries) =>
      queries.transaction(async (tx) => {
        const requested = addInitialFulfilment(await newOrder(ctx, tx, businessId, input));
        const moves =
          currentStatus(requested.statuses) === 'CANCELLED'
            ? []
            : buildStockMovesBetween([], requested.lines);
        const cause = { kind: 'ORDER', orderId: requested.id, userId: ctx.viewer.user?.userId } as const;
        const { low, variants } = await moveStock(tx, businessId, moves, cause);
        await reportLowStock(ctx, tx, businessId, low);
        const reserved = { ...requested, lines: setTakenUnits([], requested.lines, variants) };
        const { order } = await insertOrder(ctx, tx, reserved);
        return order;
      }),
    ),
  );
}

/** Adds one fulfilment with all lines when staff record an order as SHIPPED or DELIVERED from the start. */
export function addInitialFulfilment(order: Order): Order {
  const status = deriveFulfilmentStatus(order.statuses);
  const all = order.lines.map(({ quantity }, line) => ({ line, quantity }));
  return status ? shipOrDeliverWholeOrder(order, all, status, { id: newId(), time: order.createdAt }) : order;
}

async function newOrder(
  ctx: Context,
  tx: QueryHandle,
  businessId: string,
  input: CreateOrderArgs['input'],
): Promise<Order> {
  const terms = await resolveMarketAndCurrency(tx, businessId, input);
  await assertOrderCustomer(tx, businessId, input.customerId);
  const lines = await resolveOrderLines(
    tx,
    { businessId, ...terms, customerId: input.customerId },
    input.lines,
  );
  const totals = resolveOrderTotals(lines, input);
  const buildStatusEntry = createStatusHistoryEntryBuilder(ctx.viewer);
  const statuses = toStatusChanges(input);
  const time = now();
  return {
    id: newId(),
    businessId,
    number: 0,
    customerId: input.customerId,
    ...terms,
    lines: allocateDiscountAndTax(lines, totals, terms),
    ...totals,
    ...copyOrderInputFields(input),
    statuses: transitionStatus(
      [],
      statuses.length > 0 ? statuses : [{ status: 'PENDING' }],
      orderTransitions,
      buildStatusEntry,
      'statuses',
    ),
    paymentStatus: transitionStatus(
      [],
      input.paymentStatus?.length ? input.paymentStatus : [{ status: 'PENDING' }],
      paymentTransitions,
      buildStatusEntry,
      'paymentStatus',
    ),
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

type CopiedField =
  | 'shippingAddress'
  | 'billingAddress'
  | 'contactEmail'
  | 'contactPhone'
  | 'locale'
  | 'promoCode'
  | 'shippingMethodId';

/** Input fields that an order stores unchanged. */
export const copyOrderInputFields = (
  input: Pick<CreateOrderArgs['input'], CopiedField | 'blocks'>,
): Pick<Order, CopiedField | 'blocks'> => ({
  blocks: input.blocks ?? [],
  shippingAddress: input.shippingAddress,
  billingAddress: input.billingAddress,
  contactEmail: input.contactEmail,
  contactPhone: input.contactPhone,
  locale: input.locale,
  promoCode: input.promoCode,
  shippingMethodId: input.shippingMethodId,
});

/** A configured market determines the currency; for any other market code the input must name the currency. */
export async function resolveMarketAndCurrency(
  queries: QueryHandle,
  businessId: string,
  { market = '', currency }: { market?: string | undefined; currency?: string | undefined },
): Promise<{ market: string; currency: string }> {
  const { market: configured } = await loadSellingTerms(queries, { businessId, market });
  if (configured && currency !== undefined && currency !== configured.currency) {
    throw validationError('currency', 'CURRENCY_MISMATCH', `This market sells in ${configured.currency}.`);
  }
  if (configured) return { market: configured.code, currency: configured.currency };
  if (currency === undefined) {
    throw validationError('market', 'MARKET_NOT_FOUND', 'This business does not sell in this market.');
  }
  return { market, currency };
}
