/** Inserts many products in one statement each for products and stock. */
import type { Queries } from '../db/sql.ts';
import { blankProduct, type Product, products, stock, stockOf } from '../domains/products/model.ts';

export type NewProduct = Pick<Product, 'id' | 'name' | 'slug' | 'createdAt'> &
  Partial<Product> & { status: 'ACTIVE' | 'DRAFT' };

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
}

const toProduct = (businessId: string, { status, ...product }: NewProduct): Product => ({
  ...blankProduct,
  businessId,
  statuses: [{ id: product.id, status, changedBy: 'SYSTEM', timestamp: product.createdAt }],
  version: 1,
  updatedAt: product.createdAt,
  ...product,
});
