/** Who sees which of the records that are known, after the model. */
import { hasPermission, readStatus } from './model.ts';
import type { Actor, KnownEntry, KnownOrder, KnownProduct, KnownShop, World } from './world.ts';

type Status = 200 | 401 | 404;

export const productReadStatus = (actor: Actor, product: KnownProduct): Status =>
  readStatus(actor, 'PRODUCTS_WRITE', { ...product, isPublic: product.status === 'ACTIVE' });

export const entryReadStatus = (actor: Actor, entry: KnownEntry): Status =>
  readStatus(actor, 'CONTENT_WRITE', { ...entry, isPublic: entry.status === 'PUBLISHED' });

/** Somebody's own, whether they ask themselves or by a key. */
const isOwn = ({ person }: Actor, { customer }: KnownOrder): boolean =>
  customer !== undefined && customer === person?.userId;

export function orderReadStatus(actor: Actor, order: KnownOrder): Status {
  if (!actor.signedIn) return 401;
  return isOwn(actor, order) || hasPermission(actor, 'ORDERS_READ', order.shop) ? 200 : 404;
}

/** Ids of what a list of the shop shows. */
export const visibleProductIds = ({ products }: World, actor: Actor, shop: KnownShop) =>
  seen(products, shop, (product) => productReadStatus(actor, product));

export const visibleEntryIds = ({ entries }: World, actor: Actor, shop: KnownShop) =>
  seen(entries, shop, (entry) => entryReadStatus(actor, entry));

export const visibleOrderIds = ({ orders }: World, actor: Actor, shop: KnownShop) =>
  seen(orders, shop, (order) => orderReadStatus(actor, order));

const seen = <Known extends { id: string; shop: number }>(
  records: readonly Known[],
  { number }: KnownShop,
  sees: (record: Known) => Status,
): string[] => records.filter((record) => record.shop === number && sees(record) === 200).map(({ id }) => id);
