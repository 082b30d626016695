/** Moves stock. The product row is the lock for its variants, and every move shows in the product's version. */
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, invalid } from '../../errors.ts';

export interface StockMove {
  productId: string;
  variantId: string;
  /** Negative takes from stock, positive returns to it. */
  delta: number;
  /** The wire path of what asks for it, named when there is not enough. */
  field: string;
}

/** A variant whose stock has just come down to its threshold. */
export interface LowStock {
  productId: string;
  variantId: string;
  sku?: string | undefined;
  quantity: number;
  threshold: number;
}

/** Takes the locks that `moveStock` needs, in the order everybody takes them. */
export async function lockProducts(
  tx: Queries,
  businessId: string,
  productIds: readonly string[],
): Promise<void> {
  await tx.sql(
    'select id from products where business_id = $1 and id = any($2::uuid[]) order by id for update',
    [businessId, [...new Set(productIds)].sort()],
  );
}

interface Moved {
  id: string;
  delta: number;
  product_id: string | null;
  sku: string | null;
  tracked: boolean | null;
  before: number | null;
  after: number | null;
  threshold: number | null;
}

// The outer select sees the variants as they were before the update, and `moved` as they are after it.
const moveStatement = `
  with moves as (
    select * from unnest($2::uuid[], $3::bigint[]) as m(id, delta)
  ), moved as (
    update variants v set quantity = least(v.quantity + m.delta, 2147483647)::int
    from moves m
    where v.id = m.id and v.business_id = $1 and v.tracked and v.quantity + m.delta >= 0
    returning v.id, v.product_id, v.quantity
  ), bumped as (
    update products p set version = p.version + 1 where p.id in (select product_id from moved)
  )
  select m.id, m.delta, v.product_id, v.sku, v.tracked, v.quantity as before, moved.quantity as after, v.low_stock_threshold as threshold
  from moves m left join variants v on v.id = m.id and v.business_id = $1 left join moved on moved.id = m.id`;

/** All or nothing: throws OUT_OF_STOCK naming every line that cannot be served. Untracked stock does not move. */
export async function moveStock(
  tx: Queries,
  businessId: string,
  moves: readonly StockMove[],
): Promise<LowStock[]> {
  const byVariant = merged(moves);
  if (byVariant.size === 0) return [];
  await lockProducts(
    tx,
    businessId,
    moves.map((move) => move.productId),
  );
  const rows = await tx.sql<Moved>(moveStatement, [
    businessId,
    [...byVariant.keys()],
    [...byVariant.values()],
  ]);
  const faults = new Map(rows.flatMap((row) => faultOf(row)));
  if (faults.size > 0) {
    throw invalid(
      ...moves.flatMap(({ variantId, delta, field }): ErrorDetail[] => {
        const fault = faults.get(variantId);
        return fault && delta < 0 ? [{ field, ...fault }] : [];
      }),
    );
  }
  return rows.flatMap(lowStockOf);
}

/** Two lines of one variant are one move. */
function merged(moves: readonly StockMove[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { variantId, delta } of moves) sums.set(variantId, (sums.get(variantId) ?? 0) + delta);
  for (const [variantId, delta] of sums) if (delta === 0) sums.delete(variantId);
  return sums;
}

type Fault = Omit<ErrorDetail, 'field'>;

function faultOf({ id, delta, tracked, before, after }: Moved): [string, Fault][] {
  if (delta > 0 || tracked === false || after !== null) return [];
  if (tracked === null)
    return [[id, { error: 'VARIANT_NOT_FOUND', message: 'This variant is not sold any more.' }]];
  return [[id, { error: 'OUT_OF_STOCK', message: `Only ${before ?? 0} left in stock.` }]];
}

function lowStockOf({ id, product_id, sku, before, after, threshold }: Moved): LowStock[] {
  const crossed =
    product_id !== null &&
    before !== null &&
    after !== null &&
    threshold !== null &&
    before > threshold &&
    after <= threshold;
  if (!crossed) return [];
  return [{ productId: product_id, variantId: id, sku: sku ?? undefined, quantity: after, threshold }];
}
