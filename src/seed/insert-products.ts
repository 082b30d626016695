/** Inserts many products in one statement each for products, stock and its ledger. */
import type { Queries } from '../db/sql.ts';
import { movements, movementsBetween, type StockMovement } from '../domains/products/ledger.ts';
import {
  blankProduct,
  type Product,
  products,
  stock,
  stockOf,
  type Variant,
} from '../domains/products/model.ts';

export type NewProduct = Pick<Product, 'id' | 'name' | 'slug' | 'createdAt'> &
  Partial<Omit<Product, 'variants'>> & {
    variants?: Omit<Variant, 'businessId'>[];
    status: 'ACTIVE' | 'DRAFT';
  };

export async function insertProducts(
  queries: Queries,
  businessId: string,
  added: readonly NewProduct[],
): Promise<void> {
  const all = added.map((one) => toProduct(businessId, one));
  await queries.sql(`${products.insertRows('$1')} on conflict do nothing`, [products.rowsParam(all)]);
  await queries.sql(`${stock.insertRows('$1')} on conflict do nothing`, [
    stock.rowsParam(all.flatMap(stockOf)),
  ]);
  await queries.sql(`${movements.insertRows('$1')} on conflict do nothing`, [
    movements.rowsParam(all.flatMap(firstStock)),
  ]);
}

/** Under the ids of their variants, so that who inserts the same products again inserts nothing. */
const firstStock = (product: Product): StockMovement[] =>
  movementsBetween({ variants: [] }, product, undefined).map((one) => ({ ...one, id: one.variantId }));

const toProduct = (businessId: string, { status, variants = [], ...product }: NewProduct): Product => ({
  ...blankProduct,
  businessId,
  statuses: [{ id: product.id, status, changedBy: 'SYSTEM', timestamp: product.createdAt }],
  version: 1,
  updatedAt: product.createdAt,
  ...product,
  variants: variants.map((variant) => ({ ...variant, businessId })),
});
