/** Orders in the database: written, locked and saved. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import type { TableRow } from '../../db/records/table.ts';
import { AppError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { lockClaimedPromoCode } from '../businesses/promo-codes/promo-claims.ts';
import { lockProducts } from '../products/stock/move-stock.ts';
import { requireRecordSize } from '../shared/record-size.ts';
import { changeAndEmit, type EmitServices } from '../webhooks/emit-events.ts';
import { orderEvents } from './events.ts';
import { queueOrderChangeMails } from './mail/queue-order-mails.ts';
import { clearNetworkHashUnlessUnpaid, unpaidLimitResetAtSql } from './manage/unpaid-order-limit.ts';
import { type Order, orders } from './model.ts';

type Sellers = EmitServices & Pick<Services, 'payments' | 'config'>;

export interface InsertedOrder {
  /** With its number. */
  order: Order;
  /** For an order that is held from somewhere: when there will be room for it; undefined when there is. */
  roomAgainAt: number | undefined;
}

/** Orders of the business that come after it wait for its number until the transaction ends: this is one of its last statements. */
export async function insertOrder(
  services: Sellers,
  tx: Queries,
  order: Order,
  { isNews = true, ...room }: { most?: number; isNews?: boolean } = {},
): Promise<InsertedOrder> {
  const [inserted] = await changeAndEmit<{ number: number; roomAgainAt?: number | null }>(services, tx, {
    ...insertion(services, order, requireRecordSize(orders.insertParams(order), room)),
    businessId: order.businessId,
    events: isNews ? orderEvents(undefined, order, services.payments.provider) : [],
    rowDataSql: `jsonb_build_object('number', changed.number)`,
  });
  if (!inserted) throw new Error('no order was inserted');
  return {
    order: { ...order, number: inserted.number },
    roomAgainAt: inserted.roomAgainAt ?? undefined,
  };
}

/** Whoever has an order held is counted by the statement that writes it. */
function insertion({ config }: Sellers, order: Order, params: readonly unknown[]) {
  if (order.heldFrom === undefined) return { statement: `${orders.insert} returning id, number`, params };
  const { perCustomer, perAddress } = config.unpaidOrders;
  return {
    statement: `${orders.insert} returning id, number, ${unpaidLimitResetAtSql(orders.paramAfter(1), orders.paramAfter(2))}`,
    params: [...params, perCustomer, perAddress],
  };
}

/** Saves what became of an order that `lockOrder` returned. */
export async function saveOrder(services: Sellers, tx: Queries, before: Order, order: Order): Promise<Order> {
  const saved = {
    ...clearNetworkHashUnlessUnpaid(order),
    version: tx.nextVersion(before.version),
    updatedAt: now(),
  };
  await changeAndEmit(services, tx, {
    statement: `${orders.update} returning id`,
    params: orders.updateParams(saved),
    businessId: order.businessId,
    events: orderEvents(before, saved, services.payments.provider),
  });
  await queueOrderChangeMails(services, tx, before, saved);
  return saved;
}

const deletion = `with gone as (delete from orders where business_id = $1 and id = $2 returning number)
  update order_numbers n set freed = array_append(n.freed, gone.number) from gone where n.business_id = $1`;

/** For an order that never came to be: nothing is left of it but the attempt to pay it. The next order gets its number. */
export async function deleteOrder(tx: Queries, { businessId, id }: Order): Promise<void> {
  await tx.sql(deletion, [businessId, id]);
}

export interface OrderRef {
  id: string;
  /** Absent: whatever business it belongs to. For the service's own work only. */
  businessId?: string | undefined;
}

export interface LockOrderOptions {
  /** Also locks the products of its lines, these products, and the promo code it uses. */
  withStock?: boolean;
  extraProductIds?: readonly string[];
}

const anywhere = `select ${orders.columns} from ${orders.from} where o.id = $1`;
const inBusiness = `${anywhere} and o.business_id = $2`;

/** For the service's own work: whoever asks on behalf of somebody uses find-order.ts. */
export const readOrder = async (queries: Queries, id: string): Promise<Order | undefined> =>
  first(await queries.sql<TableRow>(anywhere, [id]));

/** Reads an order for writing. Locks are taken in the order everybody takes them: products, promo codes, orders. */
export async function lockOrder(
  tx: Queries,
  { id, businessId }: OrderRef,
  { withStock = false, extraProductIds: products = [] }: LockOrderOptions = {},
): Promise<Order | undefined> {
  if (!isId(id) || (businessId !== undefined && !isId(businessId))) return undefined;
  const [read, params] = businessId === undefined ? [anywhere, [id]] : [inBusiness, [id, businessId]];
  if (!withStock) return first(await tx.sql<TableRow>(`${read} for update`, params));
  const seen = first(await tx.sql<TableRow>(read, params));
  if (!seen) return undefined;
  const productIds = new Set([...productsOf(seen), ...products]);
  await lockProducts(tx, seen.businessId, [...productIds]);
  if (seen.promoCode !== undefined) await lockClaimedPromoCode(tx, id);
  const locked = first(await tx.sql<TableRow>(`${inBusiness} for update`, [id, seen.businessId]));
  if (locked && productsOf(locked).some((productId) => !productIds.has(productId))) {
    throw new AppError('CONFLICT', 'This order was changed at the same time, try again.');
  }
  return locked;
}

const first = (rows: TableRow[]): Order | undefined => rows[0] && orders.read(rows[0]);

const productsOf = (order: Order): string[] => order.lines.map((line) => line.productId);
