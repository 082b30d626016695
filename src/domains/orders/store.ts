/** Orders in the database: written, locked and saved. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { lockPromoOf } from '../businesses/promo-claims.ts';
import { lockProducts } from '../products/move-stock.ts';
import { fitting } from '../shared/record-size.ts';
import { type Announcer, changeAndAnnounce } from '../webhooks/announce.ts';
import { orderEvents } from './events.ts';
import { roomAgainAt, withHolder } from './holding.ts';
import { type Order, orders } from './model.ts';
import { queueChangeMails } from './order-mails.ts';

type Sellers = Announcer & Pick<Services, 'payments' | 'config'>;

export interface Inserted {
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
): Promise<Inserted> {
  const [inserted] = await changeAndAnnounce<{ number: number; roomAgainAt?: number | null }>(services, tx, {
    ...insertion(services, order, fitting(orders.insertParams(order), room)),
    businessId: order.businessId,
    events: isNews ? orderEvents(undefined, order, services.payments.provider) : [],
    facts: `jsonb_build_object('number', changed.number)`,
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
    statement: `${orders.insert} returning id, number, ${roomAgainAt(orders.paramAfter(1), orders.paramAfter(2))}`,
    params: [...params, perCustomer, perAddress],
  };
}

/** Saves what became of an order that `lockOrder` returned. */
export async function saveOrder(services: Sellers, tx: Queries, before: Order, order: Order): Promise<Order> {
  const saved = { ...withHolder(order), version: tx.nextVersion(before.version), updatedAt: now() };
  await changeAndAnnounce(services, tx, {
    statement: `${orders.update} returning id`,
    params: orders.updateParams(saved),
    businessId: order.businessId,
    events: orderEvents(before, saved, services.payments.provider),
  });
  await queueChangeMails(services, tx, before, saved);
  return saved;
}

const deletion = `with gone as (delete from orders where business_id = $1 and id = $2 returning number)
  update order_numbers n set freed = array_append(n.freed, gone.number) from gone where n.business_id = $1`;

/** For an order that never came to be: nothing is left of it but the attempt to pay it. The next order gets its number. */
export async function deleteOrder(tx: Queries, { businessId, id }: Order): Promise<void> {
  await tx.sql(deletion, [businessId, id]);
}

export interface OrderAddress {
  id: string;
  /** Absent: whatever business it belongs to. For the service's own work only. */
  businessId?: string | undefined;
}

export interface LockOptions {
  /** Also locks the products of its lines, these products, and the promo code it uses. */
  withStock?: boolean;
  products?: readonly string[];
}

const anywhere = `select ${orders.columns} from ${orders.from} where o.id = $1`;
const inBusiness = `${anywhere} and o.business_id = $2`;

/** For the service's own work: whoever asks on behalf of somebody uses find-order.ts. */
export const readOrder = async (queries: Queries, id: string): Promise<Order | undefined> =>
  first(await queries.sql<Row>(anywhere, [id]));

/** Reads an order for writing. Locks are taken in the order everybody takes them: products, promo codes, orders. */
export async function lockOrder(
  tx: Queries,
  { id, businessId }: OrderAddress,
  { withStock = false, products = [] }: LockOptions = {},
): Promise<Order | undefined> {
  if (!isId(id) || (businessId !== undefined && !isId(businessId))) return undefined;
  const [read, params] = businessId === undefined ? [anywhere, [id]] : [inBusiness, [id, businessId]];
  if (!withStock) return first(await tx.sql<Row>(`${read} for update`, params));
  const seen = first(await tx.sql<Row>(read, params));
  if (!seen) return undefined;
  const productIds = new Set([...productsOf(seen), ...products]);
  await lockProducts(tx, seen.businessId, [...productIds]);
  if (seen.promoCode !== undefined) await lockPromoOf(tx, id);
  const locked = first(await tx.sql<Row>(`${inBusiness} for update`, [id, seen.businessId]));
  if (locked && productsOf(locked).some((productId) => !productIds.has(productId))) {
    throw new AppError('CONFLICT', 'This order was changed at the same time, try again.');
  }
  return locked;
}

const first = (rows: Row[]): Order | undefined => rows[0] && orders.read(rows[0]);

const productsOf = (order: Order): string[] => order.lines.map((line) => line.productId);
