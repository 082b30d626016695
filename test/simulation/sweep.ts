/** After every step: what must be true of all records, whatever was done to them. */
import { demand } from './fault.ts';
import { mayMove, mayMovePayment } from './model.ts';
import { type Table, touchedSince } from './touches.ts';
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

interface Known {
  kind: string;
  version: number;
  digest: string;
  order?: SeenOrder;
  /** Those of a product. */
  variants?: string[];
}

export interface Seen {
  records: Map<string, Known>;
  /** Units that each order holds, by variant, and those of all orders together. */
  held: Map<string, Map<string, number>>;
  heldInAll: Map<string, number>;
  stock: Map<string, number>;
  /** The last touch that was looked at. */
  touch: number;
}

export const nothingSeen = (): Seen => ({
  records: new Map(),
  held: new Map(),
  heldInAll: new Map(),
  stock: new Map(),
  touch: 0,
});

const digestOf = (table: Table, more = '') =>
  `select '${table}' as kind, r.id::text as id, r.version,
     md5((to_jsonb(r) - 'version' - 'updated_at' - 'claimed_until')::text${more}) as digest
   from ${table} r where r.id = any($1::uuid[])`;

const variantsOfProduct = ` || coalesce((select string_agg(to_jsonb(v)::text, '' order by v.id) from variants v where v.product_id = r.id), '')`;

const digests: Readonly<Record<Table, string>> = {
  products: digestOf('products', variantsOfProduct),
  orders: digestOf('orders'),
  entries: digestOf('entries'),
  collections: digestOf('collections'),
};

const ordersBy = `select id, status, payment_status as payment, total, captured, refunded, promo_code as "promoCode",
    customer_id as "customerId", created_at as "createdAt", expires_at as "expiresAt", statuses,
    payment_statuses as "paymentStatuses", lines
  from orders where id = any($1::uuid[])`;

export async function sweep(world: World): Promise<void> {
  for (const [table, ids] of await touchedSince(world)) await look(world, table, ids);
  checkStock(world);
}

/** At the records that somebody wrote: what nobody touched is as it was. */
async function look(world: World, table: Table, ids: readonly string[]): Promise<void> {
  const { db } = world.t;
  const { records } = world.seen;
  const rows = await db.sql<Row>(digests[table], [ids]);
  const changed = rows.filter(({ id, digest }) => records.get(id)?.digest !== digest);
  const orders = table === 'orders' ? await changedOrders(world, changed) : new Map<string, SeenOrder>();
  for (const row of rows) {
    const before = records.get(row.id);
    checkVersion(before, row);
    const order = orders.get(row.id) ?? before?.order;
    if (order && order !== before?.order) checkOrder(before?.order, order);
    records.set(row.id, { ...before, ...row, ...(order ? { order } : {}) });
  }
  const present = new Set(rows.map(({ id }) => id));
  if (table === 'products') await takeStock(world, ids);
  for (const id of ids) if (!present.has(id)) forget(world, id);
}

/** What is in stock of these products now. */
async function takeStock({ t, seen }: World, products: readonly string[]): Promise<void> {
  const variants = await t.db.sql<{ id: string; quantity: number; productId: string }>(
    'select id, quantity, product_id as "productId" from variants where product_id = any($1::uuid[])',
    [products],
  );
  for (const id of products) {
    const known = seen.records.get(id);
    for (const variant of known?.variants ?? []) seen.stock.delete(variant);
    if (known) known.variants = variants.filter(({ productId }) => productId === id).map((v) => v.id);
  }
  for (const { id, quantity } of variants) seen.stock.set(id, quantity);
}

async function changedOrders(world: World, changed: readonly Row[]): Promise<Map<string, SeenOrder>> {
  const ids = changed.filter(({ kind }) => kind === 'orders').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const orders = await world.t.db.sql<SeenOrder>(ordersBy, [ids]);
  for (const order of orders) hold(world, order.id, heldBy(order));
  return new Map(orders.map((order) => [order.id, order]));
}

function forget(world: World, id: string): void {
  world.seen.records.delete(id);
  hold(world, id, new Map());
}

function hold({ seen: { held, heldInAll } }: World, orderId: string, now: Map<string, number>): void {
  const add = (id: string, units: number) => heldInAll.set(id, (heldInAll.get(id) ?? 0) + units);
  for (const [id, units] of held.get(orderId) ?? []) add(id, -units);
  for (const [id, units] of now) add(id, units);
  held.set(orderId, now);
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

export const heldOf = ({ seen }: World, variantId: string): number => seen.heldInAll.get(variantId) ?? 0;

/** Of all products that are known: what people say there is changes without a touch. */
function checkStock(world: World): void {
  for (const { gone, variants } of world.products) {
    if (gone) continue;
    for (const { id, base } of variants) {
      const quantity = world.seen.stock.get(id);
      const held = heldOf(world, id);
      demand((quantity ?? 0) >= 0, 'stock below zero', () => `variant ${id}: ${quantity}`);
      demand(
        quantity === base - held,
        'stock',
        () => `variant ${id}: ${quantity} in stock, ${base} minus ${held} held by orders`,
      );
    }
  }
}
