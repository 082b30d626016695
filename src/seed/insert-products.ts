/** Bulk insert of products: one statement each for products, stock and the stock ledger. */
import type { QueryHandle } from '../db/handles.ts';
import {
  type Product,
  productDefaults,
  productTable,
  toStockRows,
  type Variant,
  variantStockTable,
} from '../domains/products/model.ts';
import {
  buildStockMovementsForEdit,
  type StockMovement,
  stockLedgerTable,
} from '../domains/products/stock/stock-ledger.ts';

export type SeedProduct = Pick<Product, 'id' | 'name' | 'slug' | 'createdAt'> &
  Partial<Omit<Product, 'variants'>> & {
    variants?: Omit<Variant, 'businessId'>[];
    status: 'ACTIVE' | 'DRAFT';
  };

export async function insertSeedProducts(
  queries: QueryHandle,
  businessId: string,
  added: readonly SeedProduct[],
): Promise<void> {
  const newProducts = added.map((product) => toProduct(businessId, product));
  await queries.write(`${productTable.insertRows('$1')} on conflict do nothing`, [
    productTable.rowsParam(newProducts),
  ]);
  await queries.write(`${variantStockTable.insertRows('$1')} on conflict do nothing`, [
    variantStockTable.rowsParam(newProducts.flatMap(toStockRows)),
  ]);
  await queries.write(`${stockLedgerTable.insertRows('$1')} on conflict do nothing`, [
    stockLedgerTable.rowsParam(newProducts.flatMap(initialMovements)),
  ]);
}

/** Initial movements with the ids of their variants, so that inserting the same products again conflicts and inserts nothing. */
const initialMovements = (product: Product): StockMovement[] =>
  buildStockMovementsForEdit({ variants: [] }, product, undefined).map((movement) => ({
    ...movement,
    id: movement.variantId,
  }));

const toProduct = (businessId: string, { status, variants = [], ...product }: SeedProduct): Product => ({
  ...productDefaults,
  businessId,
  statuses: [{ id: product.id, status, changedBy: 'SYSTEM', timestamp: product.createdAt }],
  version: 1,
  updatedAt: product.createdAt,
  ...product,
  variants: variants.map((variant) => ({ ...variant, businessId })),
});
