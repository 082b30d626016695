/** SQL that takes stock for a new order within the statement that inserts it. `moveStock` does the same step by step. */
import { newId } from '../../../lib/ids.ts';
import { type StockMove, sumStockMovesByVariant } from './move-stock.ts';

/** Units of one variant that the order takes. */
interface StockTakenByOrder {
  movement: string;
  product_id: string;
  variant_id: string;
  /** Stock tracking of the variant as the order assumes it. Nothing is taken from an untracked variant. */
  tracked: boolean;
  units: number;
}

export function buildStockTakes(
  moves: readonly StockMove[],
  trackedVariantIds: ReadonlySet<string>,
): StockTakenByOrder[] {
  const productIds = new Map(moves.map(({ variantId, productId }) => [variantId, productId]));
  return [...sumStockMovesByVariant(moves)].map(([variantId, delta]) => ({
    movement: newId(),
    product_id: productIds.get(variantId) ?? '',
    variant_id: variantId,
    tracked: trackedVariantIds.has(variantId),
    units: -delta,
  }));
}

/** Placeholders of the parameters, and a condition that must be fulfilled before products are locked. */
interface TakeStockParams {
  business: string;
  /** JSON list of `StockTakenByOrder`. */
  takes: string;
  /** Ids of the products, and of the variants. */
  products: string;
  variants: string;
  order: string;
  /** Id of the customer, or null. */
  customer: string;
  time: string;
  condition: string;
}

/**
 * Common table expressions. Products are locked by id, then quantities, product versions and ledger are written. Nothing is taken unless all
 * products exist. A variant without enough stock, with other stock tracking, or that would fall to its low-stock threshold gets no row in
 * `taken_stock`: the statement must fail unless `allStockTakenConditionSql` is true.
 *
 * PostgreSQL evaluates an update again on the version of the row that it has waited for, so quantities are current. Other reads of the
 * statement see its snapshot: the ledger derives its values from `returning`.
 */
export const buildTakeStockTableExpressionsSql = (params: TakeStockParams): string => {
  const [business, products] = [`${params.business}::uuid`, `${params.products}::uuid[]`];
  return `
  stock_takes as materialized (
    select * from jsonb_to_recordset(${params.takes}::jsonb)
      as t(movement uuid, product_id uuid, variant_id uuid, tracked boolean, units int)
  ), locked_products as materialized (
    select p.id from products p where p.business_id = ${business} and p.id = any(${products}) and ${params.condition}
    order by p.id for update
  ), taken_stock as (
    update variants v set quantity = v.quantity - case when t.tracked then t.units else 0 end
    from stock_takes t
    where v.business_id = ${business} and v.id = any(${params.variants}::uuid[])
      and v.id = t.variant_id and v.product_id = t.product_id and v.tracked = t.tracked
      and (not t.tracked or (v.quantity >= t.units and (v.low_stock_threshold is null or v.quantity <= v.low_stock_threshold
        or v.quantity - t.units > v.low_stock_threshold)))
      and (select count(*) from locked_products) = cardinality(${products})
    returning v.id, v.product_id, v.tracked, v.quantity, t.movement, t.units
  ), changed_products as (
    update products p set version = p.version + 1
    where p.business_id = ${business} and p.id in (select product_id from taken_stock where tracked)
    returning p.id
  ), stock_ledger as (
    insert into stock_movements (id, business_id, product_id, variant_id, kind, change, balance, order_id, user_id, created_at)
    select movement, ${business}, product_id, id, 'ORDER', -units, quantity, ${params.order}::uuid, ${params.customer}::uuid,
      ${params.time}::bigint from taken_stock where tracked
    returning id
  )`;
};

/** Condition: every take is done. Also makes PostgreSQL execute the expressions above before the row that depends on it. */
export const allStockTakenConditionSql = `(select count(*) from taken_stock) = (select count(*) from stock_takes)
  and (select count(*) from stock_ledger) = (select count(*) from stock_takes where tracked)
  and (select count(*) from changed_products) <= (select count(*) from locked_products)`;
