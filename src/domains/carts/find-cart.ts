/** Reads one cart: people their own, staff with ORDERS_READ those of their business. */
import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { isId } from '../../lib/ids.ts';
import { carts } from './model.ts';
import { cartOf } from './store.ts';
import { type CartView, viewOf, viewsOf } from './view.ts';

const select = `select ${carts.columns} from ${carts.from} where c.business_id = $1 and c.id = $2
  and (c.customer_id = $3 or ${holds('$1', '$4', 'ORDERS_READ', 'ORDERS_WRITE')})`;

export async function findCart(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<CartView | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const own = ctx.viewer.person?.userId ?? null;
  const reader = permissionHolder(ctx.viewer, 'ORDERS_READ');
  const [row] = await ctx.db.sql<Row>(select, [businessId, id, own, reader]);
  return row && viewOf(ctx.db, carts.read(row));
}

const selectAnywhere = `select ${carts.columns} from ${carts.from} where c.id = any($1::uuid[])
  and (c.customer_id = $2 or ${holds('c.business_id', '$3', 'ORDERS_READ', 'ORDERS_WRITE')})`;

/** The carts among `ids` that the viewer may see, by id, of whatever business. */
export async function loadCartsAnywhere(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, CartView>> {
  const own = ctx.viewer.person?.userId ?? null;
  const reader = permissionHolder(ctx.viewer, 'ORDERS_READ');
  const rows = await ctx.db.sql<Row>(selectAnywhere, [ids, own, reader]);
  return new Map(viewsOf(ctx.db, rows.map(carts.read)).map((cart) => [cart.id, cart]));
}

export async function findOwnCart(
  ctx: Context,
  { businessId }: { businessId: string },
): Promise<CartView | undefined> {
  const { person } = ctx.viewer;
  const cart = person && (await cartOf(ctx.db, businessId, person.userId));
  return cart && viewOf(ctx.db, cart);
}
