/** Finds an order without a permission check, and locks it for writing. */
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { AppError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { lockClaimedPromoCode } from '../../businesses/promo-codes/promo-claims.ts';
import { lockProducts } from '../../products/stock/move-stock.ts';
import { type Order, orderTable } from '../model.ts';

interface OrderRef {
  id: string;
  /** Undefined: any business. Only for internal work such as jobs, never for a client's request. */
  businessId?: string | undefined;
}

interface LockOrderOptions {
  /** Also locks the products of its lines, `extraProductIds`, and the promo code it uses. */
  withStock?: boolean;
  extraProductIds?: readonly string[];
}

const selectById = `select ${orderTable.columns} from ${orderTable.from} where o.id = $1`;

const selectInBusiness = `${selectById} and o.business_id = $2`;

/** Reads without a permission check, for internal work. For a viewer use `findOrder`. */
export const findStoredOrder = async (queries: QueryHandle, id: string): Promise<Order | undefined> =>
  readFirst(await queries.sql<UntypedRow>(selectById, [id]));

/** Reads an order `for update`. Lock order, the same in all transactions: products, promo codes, orders. */
export async function lockOrder(
  tx: QueryHandle,
  { id, businessId }: OrderRef,
  { withStock = false, extraProductIds = [] }: LockOrderOptions = {},
): Promise<Order | undefined> {
  if (!isId(id) || (businessId !== undefined && !isId(businessId))) return undefined;
  const [select, params] =
    businessId === undefined ? [selectById, [id]] : [selectInBusiness, [id, businessId]];
  if (!withStock) return readFirst(await tx.sql<UntypedRow>(`${select} for update`, params));
  const current = readFirst(await tx.sql<UntypedRow>(select, params));
  if (!current) return undefined;
  const productIds = new Set([...productIdsOf(current), ...extraProductIds]);
  await lockProducts(tx, current.businessId, [...productIds]);
  if (current.promoCode !== undefined) await lockClaimedPromoCode(tx, id);
  const locked = readFirst(
    await tx.sql<UntypedRow>(`${selectInBusiness} for update`, [id, current.businessId]),
  );
  if (locked && productIdsOf(locked).some((productId) => !productIds.has(productId))) {
    throw new AppError('CONFLICT', 'This order was changed at the same time, try again.');
  }
  return locked;
}

const readFirst = (rows: UntypedRow[]): Order | undefined => rows[0] && orderTable.read(rows[0]);

const productIdsOf = (order: Order): string[] => order.lines.map((line) => line.productId);
