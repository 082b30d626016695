/** Follows stock levels: of the products a viewer may read, while they may read them. */

import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { subscribeToChanges } from '../../../graphql/execute/subscription-events.ts';
import type { Product, StockLevel, Variant } from '../model.ts';
import { findProduct } from '../read/find-product.ts';
import { loadProducts } from '../read/load-products.ts';

export interface WatchStockArgs {
  businessId: string;
  /** Id, slug or slug triple; absent: every product. */
  productId?: string | null | undefined;
}

export async function watchStock(ctx: Context, { businessId, productId }: WatchStockArgs) {
  if (productId === null || productId === undefined) return watchAllStock(ctx, businessId);
  const { id } = await visibleProduct(ctx, businessId, productId);
  return subscribeToChanges(ctx, { kind: 'stock', businessId, record: id }, async (now, { all, changed }) => {
    const product = await visibleProduct(now, businessId, id);
    return levelsOf(product, (variant) => all || changed.get(id)?.has(variant.id) === true);
  });
}

const watchAllStock = (ctx: Context, businessId: string) =>
  subscribeToChanges(ctx, { kind: 'stock', businessId }, async (now, { changed }) => {
    if (changed.size === 0) return [];
    const products = await loadProducts(now, businessId, [...changed.keys()]);
    return [...products.values()].flatMap((product) =>
      levelsOf(product, (variant) => changed.get(product.id)?.has(variant.id) === true),
    );
  });

async function visibleProduct(ctx: Context, businessId: string, id: string): Promise<Product> {
  const product = await findProduct(ctx, { businessId, id });
  if (!product) throw notFoundError('Product');
  return product;
}

const levelsOf = (product: Product, isWanted: (variant: Variant) => boolean): StockLevel[] =>
  product.variants.filter(isWanted).map(({ id, sku, inventory }) => ({
    productId: product.id,
    variantId: id,
    sku,
    inventory,
  }));
