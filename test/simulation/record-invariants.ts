/** Invariants of all records, checked after every step: versions, status histories, amounts and stock. */
import { assertContract } from './contract-violation.ts';
import { updateCreditLedger } from './credit-ledger.ts';
import { computeTaxesByRate, findShareProblem, isOrderTransition, isPaymentTransition } from './model.ts';
import type { World } from './world.ts';
import type { LoggedTable } from './write-log.ts';

interface VersionedRow {
  id: string;
  kind: string;
  version: number;
  digest: string;
}

export interface ObservedOrder {
  id: string;
  status: string;
  payment: string;
  paymentMethod: string | null;
  /** Standard tax rate; none for orders whose tax staff set. */
  taxBps: number | null;
  subtotal: number;
  tax: number;
  shipping: number;
  discount: number;
  total: number;
  captured: number;
  refunded: number;
  promoCode: string | null;
  customerId: string | null;
  createdAt: number;
  expiresAt: number | null;
  statuses: StatusEntry[];
  paymentStatuses: StatusEntry[];
  lines: ObservedLine[];
  fulfilments: object[] | null;
  returns: { credit?: number }[] | null;
}

interface StatusEntry {
  id: string;
  status: string;
  changedBy: string;
}

interface ObservedLine {
  productId: string;
  variantId: string;
  quantity: number;
  unitPrice: number;
  discount: number;
  tax: number;
  taxBps?: number;
  taken?: number;
  refunded?: number;
  restocked?: number;
}

interface ObservedRecord {
  kind: string;
  version: number;
  digest: string;
  order?: ObservedOrder;
  /** Variant ids of a product. */
  variants?: string[];
}

export interface ObservedState {
  records: Map<string, ObservedRecord>;
  /** Units reserved by each order per variant, and by all orders together. */
  reserved: Map<string, Map<string, number>>;
  reservedTotals: Map<string, number>;
  stock: Map<string, number>;
  /** Position in the write log up to which records were checked. */
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

/** Columns to compare for each table. */
const comparedColumns: Readonly<Record<LoggedTable, string>> = {
  products: `${digestOf(variantsOfProduct)}, (select coalesce(json_agg(json_build_object('id', v.id, 'quantity', v.quantity)), '[]')
    from variants v where v.product_id = r.id) as variants`,
  orders: `${digestOf()}, json_build_object('id', id, 'status', status, 'payment', payment_status,
    'paymentMethod', payment_method, 'taxBps', tax_bps, 'subtotal', subtotal, 'tax', tax, 'shipping', shipping, 'discount', discount, 'total', total,
    'captured', captured, 'refunded', refunded, 'promoCode', promo_code, 'customerId', customer_id, 'createdAt', created_at,
    'expiresAt', expires_at, 'statuses', statuses, 'paymentStatuses', payment_statuses, 'lines', lines,
    'fulfilments', fulfilments, 'returns', returns) as "order"`,
  entries: digestOf(),
  collections: digestOf(),
};

const recordExpression = ([table, columns]: [string, string]) =>
  `when '${table}' then (select row_to_json(x) from (select ${columns} from ${table} r where r.id = t.id) x)`;

/** Every record written since position `$1` of the write log, once. One statement, because it runs after every step. */
const writtenSince = `select t.kind, t.id::text as id, t.last::text as last, case t.kind ${Object.entries(comparedColumns).map(recordExpression).join(' ')} end as row
  from (select kind, id, max(n) as last from simulation_touches where n > $1 group by kind, id) t`;

interface WrittenRecord {
  kind: LoggedTable;
  id: string;
  last: string;
  /** Null if the record was deleted. */
  row: (Omit<VersionedRow, 'id' | 'kind'> & { order?: ObservedOrder; variants?: ObservedVariant[] }) | null;
}

interface ObservedVariant {
  id: string;
  quantity: number;
}

/** Checks the records written since the last call, and the stock of all products. */
export async function checkRecords(world: World): Promise<void> {
  const { observed: seen } = world;
  await updateCreditLedger(world);
  for (const written of await world.t.db.sql<WrittenRecord>(writtenSince, [seen.lastWrite])) {
    seen.lastWrite = Math.max(seen.lastWrite, Number(written.last));
    checkRecord(world, written);
  }
  checkStock(world);
}

function checkRecord(world: World, { kind, id, row }: WrittenRecord): void {
  const { records } = world.observed;
  const previous = records.get(id);
  if (row) {
    const { version, digest } = row;
    checkVersion(previous, { id, kind, version, digest });
    const order = previous?.digest === digest ? previous.order : row.order;
    if (order && order !== previous?.order) {
      setReserved(world, id, unitsReservedBy(order));
      checkOrder(previous?.order, order);
    }
    records.set(id, { ...previous, kind, version, digest, ...(order ? { order } : {}) });
  }
  if (kind === 'products') recordStock(world, id, row?.variants ?? []);
  if (!row) forgetRecord(world, id);
}

/** Records the current stock of the variants of a product. */
function recordStock({ observed: seen }: World, product: string, variants: readonly ObservedVariant[]): void {
  const record = seen.records.get(product);
  for (const variant of record?.variants ?? []) seen.stock.delete(variant);
  if (record) record.variants = variants.map(({ id }) => id);
  for (const { id, quantity } of variants) seen.stock.set(id, quantity);
}

function forgetRecord(world: World, id: string): void {
  world.observed.records.delete(id);
  setReserved(world, id, new Map());
}

function setReserved(
  { observed: { reserved, reservedTotals } }: World,
  orderId: string,
  reservedNow: Map<string, number>,
): void {
  const add = (id: string, units: number) => reservedTotals.set(id, (reservedTotals.get(id) ?? 0) + units);
  for (const [id, units] of reserved.get(orderId) ?? []) add(id, -units);
  for (const [id, units] of reservedNow) add(id, units);
  reserved.set(orderId, reservedNow);
}

function checkVersion(previous: { version: number; digest: string } | undefined, row: VersionedRow): void {
  if (!previous) return;
  const describe = () => `${row.kind} ${row.id} went from version ${previous.version} to ${row.version}`;
  assertContract(row.version >= previous.version, 'version fell', describe);
  assertContract(
    row.digest === previous.digest || row.version > previous.version,
    'changed without a new version',
    describe,
  );
}

function checkOrder(previous: ObservedOrder | undefined, order: ObservedOrder): void {
  for (const name of ['statuses', 'paymentStatuses'] as const) {
    const previousEntries = previous?.[name] ?? [];
    const isPreserved =
      JSON.stringify(order[name].slice(0, previousEntries.length)) === JSON.stringify(previousEntries);
    assertContract(
      isPreserved,
      'history rewritten',
      () => `${name} of order ${order.id}: ${JSON.stringify([previousEntries, order[name]])}`,
    );
    checkTransitions(order, name);
  }
  checkShares(previous, order);
  assertContract(order.refunded <= order.captured, 'refunded more than captured', () =>
    JSON.stringify(order),
  );
  const isNewlyPaid = previous?.captured === 0 && order.captured > 0 && order.status !== 'CANCELLED';
  assertContract(
    !isNewlyPaid || previous.status === 'CANCELLED' || order.captured === order.total,
    'captured another amount than the total',
    () => JSON.stringify({ before: previous, order }),
  );
}

/** Shares of lines add up and follow the rates, which do not change; the tax is another only where staff set it. */
function checkShares(previous: ObservedOrder | undefined, order: ObservedOrder): void {
  const lines = order.lines.map(({ unitPrice, taxBps, ...line }) => ({
    ...line,
    price: unitPrice,
    taxBps: taxBps ?? order.taxBps ?? 0,
  }));
  const taxByRates = [...computeTaxesByRate(lines).values()].reduce((sum, tax) => sum + tax, 0);
  const problem = findShareProblem(lines, order, order.taxBps !== null && order.tax === taxByRates);
  assertContract(!problem, 'shares of an order', () => `${problem}: ${JSON.stringify(order)}`);
  if (!previous) return;
  assertContract(order.taxBps === previous.taxBps, 'tax rate of an order', () => JSON.stringify(order));
  for (const line of order.lines) {
    const same = previous.lines.filter(({ variantId }) => variantId === line.variantId);
    assertContract(
      same.length === 0 || same.some(({ taxBps }) => taxBps === line.taxBps),
      'tax rate of a line',
      () => JSON.stringify({ before: previous.lines, after: order.lines }),
    );
  }
}

function checkTransitions(order: ObservedOrder, name: 'statuses' | 'paymentStatuses'): void {
  for (const [index, { status, changedBy }] of order[name].entries()) {
    const from = order[name][index - 1]?.status;
    if (from === undefined) continue;
    const allowed =
      name === 'statuses'
        ? isOrderTransition(from, status)
        : isPaymentTransition(from, status, changedBy === 'SYSTEM');
    assertContract(
      allowed,
      'impossible transition',
      () => `${name} of order ${order.id}: ${from} to ${status}`,
    );
  }
}

/** Units per variant that an order took from stock and has not returned. */
function unitsReservedBy({ status, lines }: ObservedOrder): Map<string, number> {
  const reserved = new Map<string, number>();
  if (status === 'CANCELLED') return reserved;
  for (const { variantId, quantity, taken = quantity, restocked = 0 } of lines)
    reserved.set(variantId, (reserved.get(variantId) ?? 0) + taken - Math.min(taken, restocked));
  return reserved;
}

export const reservedUnits = ({ observed: seen }: World, variantId: string): number =>
  seen.reservedTotals.get(variantId) ?? 0;

/** Checks all products of the model, because a step changes the counted stock in the model without a database write. */
function checkStock(world: World): void {
  for (const { deleted, variants } of world.products) {
    if (deleted) continue;
    for (const { id, countedStock } of variants) {
      const quantity = world.observed.stock.get(id);
      const reserved = reservedUnits(world, id);
      assertContract((quantity ?? 0) >= 0, 'stock below zero', () => `variant ${id}: ${quantity}`);
      assertContract(
        quantity === countedStock - reserved,
        'stock',
        () => `variant ${id}: ${quantity} in stock, ${countedStock} minus ${reserved} reserved by orders`,
      );
    }
  }
}
