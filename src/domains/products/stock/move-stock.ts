/** Moves stock of variants. The product row is the lock of its variants; every movement increments the product version and is recorded in the ledger. */
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { isId, newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { maxStockQuantity } from '../model.ts';
import type { StockMovement, StockMovementCause } from './stock-ledger.ts';

export interface StockMove {
  productId: string;
  variantId: string;
  /** Units: negative takes from stock, positive returns to it. */
  delta: number;
  /** Input path for the error detail when stock is insufficient. */
  field: string;
}

/** A variant whose stock has fallen to its threshold or below with this move. */
export interface LowStockVariant {
  productId: string;
  variantId: string;
  sku?: string | undefined;
  quantity: number;
  threshold: number;
}

interface StockMoveResult {
  movements: StockMovement[];
  low: LowStockVariant[];
  /** Ids of the variants whose stock moved; without those that are untracked or deleted. */
  variants: ReadonlySet<string>;
}

/** Takes the locks that `moveStock` needs. Lock order: products by id. */
export async function lockProducts(
  tx: QueryHandle,
  businessId: string,
  productIds: readonly string[],
): Promise<void> {
  await tx.sql(
    'select id from products where business_id = $1 and id = any($2::uuid[]) order by id for update',
    [businessId, [...new Set(productIds)].filter(isId).sort()],
  );
}

interface MovedRow {
  id: string;
  movement: string;
  delta: number;
  product_id: string | null;
  sku: string | null;
  tracked: boolean | null;
  before: number | null;
  after: number | null;
  threshold: number | null;
}

// The outer select reads the snapshot from before the update; `moved` has the quantities after it.
const moveStatement = `
  with moves as (
    select * from unnest($2::uuid[], $3::bigint[], $4::uuid[]) as m(id, delta, movement)
  ), moved as (
    update variants v set quantity = least(v.quantity + m.delta, ${maxStockQuantity})::int
    from moves m
    where v.id = m.id and v.business_id = $1::uuid and (v.tracked or m.delta > 0) and v.quantity + m.delta >= 0
    returning v.id, v.product_id, v.quantity
  ), bumped as (
    update products p set version = p.version + 1 where p.business_id = $1::uuid and p.id in (select product_id from moved)
  ), noted as (
    insert into stock_movements
      (id, business_id, product_id, variant_id, kind, change, balance, reason, order_id, user_id, created_at)
    select m.movement, $1::uuid, v.product_id, v.id, $5::text, moved.quantity - v.quantity, moved.quantity, $6::text, $7::uuid,
      $8::uuid, $9::bigint
    from moved join moves m on m.id = moved.id join variants v on v.business_id = $1::uuid and v.id = moved.id
  )
  select m.id, m.movement, m.delta, v.product_id, v.sku, v.tracked, v.quantity as before, moved.quantity as after, v.low_stock_threshold as threshold
  from moves m left join variants v on v.id = m.id and v.business_id = $1::uuid left join moved on moved.id = m.id`;

/**
 * Applies all moves or none: throws OUT_OF_STOCK with a detail for every line that has too little stock. A negative move of an
 * untracked variant has no effect; a positive one is applied even then, because its stock was taken while it was tracked.
 */
export async function moveStock(
  tx: QueryHandle,
  businessId: string,
  moves: readonly StockMove[],
  cause: StockMovementCause,
): Promise<StockMoveResult> {
  const { rows, ...result } = await applyMoves(tx, businessId, moves, cause);
  const errorByVariant = new Map(rows.flatMap((row) => stockErrorOf(row)));
  if (errorByVariant.size > 0) {
    throw validationErrorFrom(
      moves.flatMap(({ variantId, delta, field }): ErrorDetail[] => {
        const error = errorByVariant.get(variantId);
        return error && delta < 0 ? [{ field, ...error }] : [];
      }),
    );
  }
  return result;
}

/** Like `moveStock`, for positive moves only, which cannot fail: variants that no longer exist are skipped. */
export async function addStock(
  tx: QueryHandle,
  businessId: string,
  moves: readonly StockMove[],
  cause: StockMovementCause,
): Promise<void> {
  await applyMoves(tx, businessId, moves, cause);
}

async function applyMoves(
  tx: QueryHandle,
  businessId: string,
  moves: readonly StockMove[],
  cause: StockMovementCause,
): Promise<StockMoveResult & { rows: readonly MovedRow[] }> {
  const byVariant = sumStockMovesByVariant(moves);
  if (byVariant.size === 0) return { movements: [], low: [], variants: new Set(), rows: [] };
  await lockProducts(
    tx,
    businessId,
    moves.map((move) => move.productId),
  );
  const time = now();
  const rows = await tx.write<MovedRow>(moveStatement, [
    businessId,
    [...byVariant.keys()],
    [...byVariant.values()],
    [...byVariant].map(() => newId()),
    cause.kind,
    cause.reason ?? null,
    cause.orderId ?? null,
    cause.userId ?? null,
    time,
  ]);
  const movements = rows.flatMap((row) => movementOf(row, { ...cause, businessId, createdAt: time }));
  return {
    movements,
    low: rows.flatMap(lowStockOf),
    variants: new Set(movements.map(({ variantId }) => variantId)),
    rows,
  };
}

/** Net change per variant: several lines may have the same variant. */
export function sumStockMovesByVariant(moves: readonly StockMove[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { variantId, delta } of moves) sums.set(variantId, (sums.get(variantId) ?? 0) + delta);
  for (const [variantId, delta] of sums) if (delta === 0) sums.delete(variantId);
  return sums;
}

type StockError = Omit<ErrorDetail, 'field'>;

function movementOf(
  { id, movement, product_id, before, after }: MovedRow,
  common: StockMovementCause & Pick<StockMovement, 'businessId' | 'createdAt'>,
): StockMovement[] {
  if (product_id === null || before === null || after === null) return [];
  const change = after - before;
  return [{ ...common, id: movement, productId: product_id, variantId: id, change, balance: after }];
}

function stockErrorOf({ id, delta, tracked, before, after }: MovedRow): [string, StockError][] {
  if (delta > 0 || tracked === false || after !== null) return [];
  if (tracked === null)
    return [[id, { error: 'VARIANT_NOT_FOUND', message: 'This variant no longer exists.' }]];
  return [[id, { error: 'OUT_OF_STOCK', message: `Only ${before ?? 0} left in stock.` }]];
}

function lowStockOf({ id, product_id, sku, before, after, threshold }: MovedRow): LowStockVariant[] {
  const hasCrossedThreshold =
    product_id !== null &&
    before !== null &&
    after !== null &&
    threshold !== null &&
    before > threshold &&
    after <= threshold;
  if (!hasCrossedThreshold) return [];
  return [{ productId: product_id, variantId: id, sku: sku ?? undefined, quantity: after, threshold }];
}
