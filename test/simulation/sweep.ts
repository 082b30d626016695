/** After every step: what must be true of all records, whatever was done to them. */
import { demand } from './fault.ts';
import { mayMove, mayMovePayment } from './model.ts';
import type { World } from './world.ts';

interface Row {
  id: string;
  kind: string;
  version: number;
  digest: string;
}

export interface SeenOrder {
  id: string;
  status: string;
  payment: string;
  total: number;
  captured: number;
  refunded: number;
  promoCode: string | null;
  customerId: string | null;
  createdAt: number;
  expiresAt: number | null;
  statuses: Entry[];
  paymentStatuses: Entry[];
  lines: Line[];
}

interface Entry {
  id: string;
  status: string;
  changedBy: string;
}

interface Line {
  productId: string;
  variantId: string;
  quantity: number;
  unitPrice: number;
  taken?: number;
  refunded?: number;
  restocked?: number;
}

export interface Seen {
  records: Map<string, { kind: string; version: number; digest: string; order?: SeenOrder }>;
  /** Units that each order holds, by variant. */
  held: Map<string, Map<string, number>>;
  stock: Map<string, number>;
}

const digestOf = (table: string, more = '') =>
  `select '${table}' as kind, r.id::text as id, r.version,
     md5((to_jsonb(r) - 'version' - 'updated_at' - 'claimed_until')::text${more}) as digest from ${table} r`;

const variantsOfProduct = ` || coalesce((select string_agg(to_jsonb(v)::text, '' order by v.id) from variants v where v.product_id = r.id), '')`;

const everything = [
  digestOf('products', variantsOfProduct),
  digestOf('orders'),
  digestOf('entries'),
  digestOf('collections'),
].join(' union all ');

const ordersBy = `select id, status, payment_status as payment, total, captured, refunded, promo_code as "promoCode",
    customer_id as "customerId", created_at as "createdAt", expires_at as "expiresAt", statuses,
    payment_statuses as "paymentStatuses", lines
  from orders where id = any($1::uuid[])`;

export async function sweep(world: World): Promise<void> {
  const { db } = world.t;
  const rows = await db.sql<Row>(everything);
  const changed = rows.filter(({ id, digest }) => world.seen.records.get(id)?.digest !== digest);
  const orders = await changedOrders(world, changed);
  for (const row of rows) {
    const before = world.seen.records.get(row.id);
    checkVersion(before, row);
    const order = orders.get(row.id) ?? before?.order;
    if (order && order !== before?.order) checkOrder(before?.order, order);
    world.seen.records.set(row.id, { ...row, ...(order ? { order } : {}) });
  }
  const present = new Set(rows.map(({ id }) => id));
  for (const id of world.seen.records.keys()) if (!present.has(id)) forget(world, id);
  await checkStock(world);
}

async function changedOrders(world: World, changed: readonly Row[]): Promise<Map<string, SeenOrder>> {
  const ids = changed.filter(({ kind }) => kind === 'orders').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const orders = await world.t.db.sql<SeenOrder>(ordersBy, [ids]);
  for (const order of orders) world.seen.held.set(order.id, heldBy(order));
  return new Map(orders.map((order) => [order.id, order]));
}

function forget({ seen }: World, id: string): void {
  seen.records.delete(id);
  seen.held.delete(id);
}

function checkVersion(before: { version: number; digest: string } | undefined, row: Row): void {
  if (!before) return;
  const about = () => `${row.kind} ${row.id} went from version ${before.version} to ${row.version}`;
  demand(row.version >= before.version, 'version fell', about);
  demand(
    row.digest === before.digest || row.version > before.version,
    'changed without a new version',
    about,
  );
}

function checkOrder(before: SeenOrder | undefined, order: SeenOrder): void {
  for (const name of ['statuses', 'paymentStatuses'] as const) {
    const old = before?.[name] ?? [];
    const kept = JSON.stringify(order[name].slice(0, old.length)) === JSON.stringify(old);
    demand(
      kept,
      'history rewritten',
      () => `${name} of order ${order.id}: ${JSON.stringify([old, order[name]])}`,
    );
    checkMoves(order, name);
  }
  demand(order.refunded <= order.captured, 'more went back than came', () => JSON.stringify(order));
  const isNewlyPaid = before?.captured === 0 && order.captured > 0 && order.status !== 'CANCELLED';
  demand(
    !isNewlyPaid || before.status === 'CANCELLED' || order.captured === order.total,
    'paid another sum than due',
    () => JSON.stringify({ before, order }),
  );
}

function checkMoves(order: SeenOrder, name: 'statuses' | 'paymentStatuses'): void {
  for (const [index, { status, changedBy }] of order[name].entries()) {
    const from = order[name][index - 1]?.status;
    if (from === undefined) continue;
    const allowed =
      name === 'statuses' ? mayMove(from, status) : mayMovePayment(from, status, changedBy === 'SYSTEM');
    demand(allowed, 'impossible transition', () => `${name} of order ${order.id}: ${from} to ${status}`);
  }
}

/** What came out of stock for an order and is not back. */
function heldBy({ status, lines }: SeenOrder): Map<string, number> {
  const held = new Map<string, number>();
  if (status === 'CANCELLED') return held;
  for (const { variantId, quantity, taken = quantity, restocked = 0 } of lines)
    held.set(variantId, (held.get(variantId) ?? 0) + taken - Math.min(taken, restocked));
  return held;
}

export function heldOf({ seen }: World, variantId: string): number {
  let sum = 0;
  for (const held of seen.held.values()) sum += held.get(variantId) ?? 0;
  return sum;
}

async function checkStock(world: World): Promise<void> {
  const rows = await world.t.db.sql<{ id: string; quantity: number }>('select id, quantity from variants');
  world.seen.stock = new Map(rows.map(({ id, quantity }) => [id, quantity]));
  const heldByVariant = new Map<string, number>();
  for (const held of world.seen.held.values())
    for (const [id, units] of held) heldByVariant.set(id, (heldByVariant.get(id) ?? 0) + units);
  for (const { gone, variants } of world.products) {
    if (gone) continue;
    for (const { id, base } of variants) {
      const quantity = world.seen.stock.get(id);
      const held = heldByVariant.get(id) ?? 0;
      demand((quantity ?? 0) >= 0, 'stock below zero', () => `variant ${id}: ${quantity}`);
      demand(
        quantity === base - held,
        'stock',
        () => `variant ${id}: ${quantity} in stock, ${base} minus ${held} held by orders`,
      );
    }
  }
}
