/** Finds carts: customers their own, staff with ORDERS_READ all of their business. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { cartTable } from '../model.ts';
import { findStoredCart } from '../write/find-and-lock-cart.ts';
import {
  type CartWithLazyPrices,
  toCartsWithLazyPrices,
  toCartWithLazyPrices,
} from './cart-with-lazy-prices.ts';

const byIdStatement = `select ${cartTable.columns} from ${cartTable.from} where c.business_id = $1 and c.id = $2
  and (c.customer_id = $3 or ${buildPermissionConditionSql('$1', '$4', 'ORDERS_READ', 'ORDERS_WRITE')})`;

export async function findCart(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<CartWithLazyPrices | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const ownerId = ctx.viewer.accountUser?.userId ?? null;
  const reader = ctx.viewer.userIdForPermissionSql('ORDERS_READ');
  const [row] = await ctx.db.sql<UntypedRow>(byIdStatement, [businessId, id, ownerId, reader]);
  return row && toCartWithLazyPrices(ctx.db, cartTable.read(row));
}

const byIdsStatement = `select ${cartTable.columns} from ${cartTable.from} where c.id = any($1::uuid[])
  and (c.customer_id = $2 or ${buildPermissionConditionSql('c.business_id', '$3', 'ORDERS_READ', 'ORDERS_WRITE')})`;

/** Map by id of the carts among `ids` that the viewer may see, across all businesses. */
export async function loadVisibleCarts(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, CartWithLazyPrices>> {
  const ownerId = ctx.viewer.accountUser?.userId ?? null;
  const reader = ctx.viewer.userIdForPermissionSql('ORDERS_READ');
  const rows = await ctx.db.sql<UntypedRow>(byIdsStatement, [ids, ownerId, reader]);
  return new Map(toCartsWithLazyPrices(ctx.db, rows.map(cartTable.read)).map((cart) => [cart.id, cart]));
}

export async function findOwnCart(
  ctx: Context,
  { businessId }: { businessId: string },
): Promise<CartWithLazyPrices | undefined> {
  const { accountUser } = ctx.viewer;
  const cart = accountUser && (await findStoredCart(ctx.db, businessId, accountUser.userId));
  return cart && toCartWithLazyPrices(ctx.db, cart);
}
