/** Who sees which of the records that are known, after the model. */
import { may, toRead } from './model.ts';
import type { Actor, KnownEntry, KnownOrder, KnownProduct, KnownShop, World } from './world.ts';

type Status = 200 | 401 | 404;

export const seesProduct = (actor: Actor, product: KnownProduct): Status =>
  toRead(actor, 'PRODUCTS_WRITE', { ...product, isPublic: product.status === 'ACTIVE' });

export const seesEntry = (actor: Actor, entry: KnownEntry): Status =>
  toRead(actor, 'CONTENT_WRITE', { ...entry, isPublic: entry.status === 'PUBLISHED' });

/** Somebody's own, whether they ask themselves or by a key. */
const isOwn = ({ person }: Actor, { customer }: KnownOrder): boolean =>
  customer !== undefined && customer === person?.userId;

export function seesOrder(actor: Actor, order: KnownOrder): Status {
  if (!actor.signedIn) return 401;
  return isOwn(actor, order) || may(actor, 'ORDERS_READ', order.shop) ? 200 : 404;
}

/** Ids of what a list of the shop shows. */
export const expectedProducts = ({ products }: World, actor: Actor, shop: KnownShop) =>
  seen(products, shop, (product) => seesProduct(actor, product));

export const expectedEntries = ({ entries }: World, actor: Actor, shop: KnownShop) =>
  seen(entries, shop, (entry) => seesEntry(actor, entry));

export const expectedOrders = ({ orders }: World, actor: Actor, shop: KnownShop) =>
  seen(orders, shop, (order) => seesOrder(actor, order));

const seen = <Known extends { id: string; shop: number }>(
  records: readonly Known[],
  { number }: KnownShop,
  sees: (record: Known) => Status,
): string[] => records.filter((record) => record.shop === number && sees(record) === 200).map(({ id }) => id);
