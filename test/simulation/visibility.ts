/** Visibility of records according to the model. */
import { hasPermission, readStatus } from './model.ts';
import type { Actor, KnownEntry, KnownOrder, KnownProduct, KnownShop, World } from './world.ts';

type Status = 200 | 401 | 404;

export const productReadStatus = (actor: Actor, product: KnownProduct): Status =>
  readStatus(actor, 'PRODUCTS_WRITE', { ...product, isPublic: product.status === 'ACTIVE' });

export const entryReadStatus = (actor: Actor, entry: KnownEntry): Status =>
  readStatus(actor, 'CONTENT_WRITE', { ...entry, isPublic: entry.status === 'PUBLISHED' });

/** Whether the actor is the customer, with a session or an API key. */
const isCustomer = ({ person }: Actor, { customer }: KnownOrder): boolean =>
  customer !== undefined && customer === person?.userId;

export function orderReadStatus(actor: Actor, order: KnownOrder): Status {
  if (!actor.signedIn) return 401;
  return isCustomer(actor, order) || hasPermission(actor, 'ORDERS_READ', order.shop) ? 200 : 404;
}

/** Ids in a list of a business. */
export const visibleProductIds = ({ products }: World, actor: Actor, shop: KnownShop) =>
  visibleIds(products, shop, (product) => productReadStatus(actor, product));

export const visibleEntryIds = ({ entries }: World, actor: Actor, shop: KnownShop) =>
  visibleIds(entries, shop, (entry) => entryReadStatus(actor, entry));

export const visibleOrderIds = ({ orders }: World, actor: Actor, shop: KnownShop) =>
  visibleIds(orders, shop, (order) => orderReadStatus(actor, order));

const visibleIds = <Known extends { id: string; shop: number }>(
  records: readonly Known[],
  { number }: KnownShop,
  readStatusOf: (record: Known) => Status,
): string[] =>
  records.filter((record) => record.shop === number && readStatusOf(record) === 200).map(({ id }) => id);
