/** After every step: what must be true of all records, whatever was done to them. */
import { assertContract } from './contract-violation.ts';
import { isOrderTransition, isPaymentTransition } from './model.ts';
import type { LoggedTable } from './write-log.ts';
import type { World } from './world.ts';

interface Row {
  id: string;
  kind: string;
  version: number;
  digest: string;
}

export interface ObservedOrder {
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
  order?: ObservedOrder;
  /** Those of a product. */
  variants?: string[];
}

export interface ObservedState {
  records: Map<string, Known>;
  /** Units that each order holds, by variant, and those of all orders together. */
  reserved: Map<string, Map<string, number>>;
  reservedTotals: Map<string, number>;
  stock: Map<string, number>;
  /** The last touch that was looked at. */
  lastWrite: number;
}

export const createObservedState = (): ObservedState => ({
  records: new Map(),
  reserved: new Map(),
  reservedTotals: new Map(),
  stock: new Map(),
  lastWrite: 0,
});

const digestOf = (more = '') =>
  `r.version, md5((to_jsonb(r) - 'version' - 'updated_at' - 'claimed_until')::text${more}) as digest`;

const variantsOfProduct = ` || coalesce((select string_agg(to_jsonb(v)::text, '' order by v.id) from variants v where v.product_id = r.id), '')`;

/** What is looked at in a record of each kind. */
const looks: Readonly<Record<LoggedTable, string>> = {
  products: `${digestOf(variantsOfProduct)}, (select coalesce(json_agg(json_build_object('id', v.id, 'quantity', v.quantity)), '[]')
    from variants v where v.product_id = r.id) as variants`,
  orders: `${digestOf()}, json_build_object('id', id, 'status', status, 'payment', payment_status, 'total', total,
    'captured', captured, 'refunded', refunded, 'promoCode', promo_code, 'customerId', customer_id, 'createdAt', created_at,
    'expiresAt', expires_at, 'statuses', statuses, 'paymentStatuses', payment_statuses, 'lines', lines) as "order"`,
  entries: digestOf(),
  collections: digestOf(),
};

const lookOf = ([table, columns]: [string, string]) =>
  `when '${table}' then (select row_to_json(x) from (select ${columns} from ${table} r where r.id = t.id) x)`;

/** Once for every record that was written since the touch `$1`, in one statement: it is asked after every step. */
const touchedSince = `select t.kind, t.id::text as id, t.last::text as last, case t.kind ${Object.entries(looks).map(lookOf).join(' ')} end as row
  from (select kind, id, max(n) as last from simulation_touches where n > $1 group by kind, id) t`;

interface Touched {
  kind: LoggedTable;
  id: string;
  last: string;
  /** Null when it is gone. */
  row: (Omit<Row, 'id' | 'kind'> & { order?: ObservedOrder; variants?: Variant[] }) | null;
}

interface Variant {
  id: string;
  quantity: number;
}

/** At the records that somebody wrote: what nobody touched is as it was. */
export async function checkRecords(world: World): Promise<void> {
  const { observed: seen } = world;
  for (const touched of await world.t.db.sql<Touched>(touchedSince, [seen.lastWrite])) {
    seen.lastWrite = Math.max(seen.lastWrite, Number(touched.last));
    look(world, touched);
  }
  checkStock(world);
}

function look(world: World, { kind, id, row }: Touched): void {
  const { records } = world.observed;
  const before = records.get(id);
  if (row) {
    const { version, digest } = row;
    checkVersion(before, { id, kind, version, digest });
    const order = before?.digest === digest ? before.order : row.order;
    if (order && order !== before?.order) {
      hold(world, id, heldBy(order));
      checkOrder(before?.order, order);
    }
    records.set(id, { ...before, kind, version, digest, ...(order ? { order } : {}) });
  }
  if (kind === 'products') takeStock(world, id, row?.variants ?? []);
  if (!row) forget(world, id);
}

/** What is in stock of a product now. */
function takeStock({ observed: seen }: World, product: string, variants: readonly Variant[]): void {
  const known = seen.records.get(product);
  for (const variant of known?.variants ?? []) seen.stock.delete(variant);
  if (known) known.variants = variants.map(({ id }) => id);
  for (const { id, quantity } of variants) seen.stock.set(id, quantity);
}

function forget(world: World, id: string): void {
  world.observed.records.delete(id);
  hold(world, id, new Map());
}

function hold({ observed: { reserved: held, reservedTotals: heldInAll } }: World, orderId: string, now: Map<string, number>): void {
  const add = (id: string, units: number) => heldInAll.set(id, (heldInAll.get(id) ?? 0) + units);
  for (const [id, units] of held.get(orderId) ?? []) add(id, -units);
  for (const [id, units] of now) add(id, units);
  held.set(orderId, now);
}

function checkVersion(before: { version: number; digest: string } | undefined, row: Row): void {
  if (!before) return;
  const about = () => `${row.kind} ${row.id} went from version ${before.version} to ${row.version}`;
  assertContract(row.version >= before.version, 'version fell', about);
  assertContract(
    row.digest === before.digest || row.version > before.version,
    'changed without a new version',
    about,
  );
}

function checkOrder(before: ObservedOrder | undefined, order: ObservedOrder): void {
  for (const name of ['statuses', 'paymentStatuses'] as const) {
    const old = before?.[name] ?? [];
    const kept = JSON.stringify(order[name].slice(0, old.length)) === JSON.stringify(old);
    assertContract(
      kept,
      'history rewritten',
      () => `${name} of order ${order.id}: ${JSON.stringify([old, order[name]])}`,
    );
    checkMoves(order, name);
  }
  assertContract(order.refunded <= order.captured, 'more went back than came', () => JSON.stringify(order));
  const isNewlyPaid = before?.captured === 0 && order.captured > 0 && order.status !== 'CANCELLED';
  assertContract(
    !isNewlyPaid || before.status === 'CANCELLED' || order.captured === order.total,
    'paid another sum than due',
    () => JSON.stringify({ before, order }),
  );
}

function checkMoves(order: ObservedOrder, name: 'statuses' | 'paymentStatuses'): void {
  for (const [index, { status, changedBy }] of order[name].entries()) {
    const from = order[name][index - 1]?.status;
    if (from === undefined) continue;
    const allowed =
      name === 'statuses' ? isOrderTransition(from, status) : isPaymentTransition(from, status, changedBy === 'SYSTEM');
    assertContract(allowed, 'impossible transition', () => `${name} of order ${order.id}: ${from} to ${status}`);
  }
}

/** What came out of stock for an order and is not back. */
function heldBy({ status, lines }: ObservedOrder): Map<string, number> {
  const held = new Map<string, number>();
  if (status === 'CANCELLED') return held;
  for (const { variantId, quantity, taken = quantity, restocked = 0 } of lines)
    held.set(variantId, (held.get(variantId) ?? 0) + taken - Math.min(taken, restocked));
  return held;
}

export const reservedUnits = ({ observed: seen }: World, variantId: string): number => seen.reservedTotals.get(variantId) ?? 0;

/** Of all products that are known: what people say there is changes without a touch. */
function checkStock(world: World): void {
  for (const { deleted: gone, variants } of world.products) {
    if (gone) continue;
    for (const { id, countedStock: base } of variants) {
      const quantity = world.observed.stock.get(id);
      const held = reservedUnits(world, id);
      assertContract((quantity ?? 0) >= 0, 'stock below zero', () => `variant ${id}: ${quantity}`);
      assertContract(
        quantity === base - held,
        'stock',
        () => `variant ${id}: ${quantity} in stock, ${base} minus ${held} held by orders`,
      );
    }
  }
}
