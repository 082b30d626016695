/** Live stock levels of one product or of all products of a business. Every event checks again that the viewer may read the product. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { subscribeToChanges } from '../../../graphql/execute/subscribe-to-changes.ts';
import type { Product, StockLevel, Variant } from '../model.ts';
import { findProduct } from '../read/find-product.ts';
import { loadProductMap } from '../read/load-products.ts';

interface WatchStockArgs {
  businessId: string;
  /** Id, slug or `<businessId>:<locale>:<slug>`; null: all products of the business. */
  productId?: string | null | undefined;
}

export async function watchStock(ctx: Context, { businessId, productId }: WatchStockArgs) {
  if (productId === null || productId === undefined) return watchAllStock(ctx, businessId);
  const { id } = await requireVisibleProduct(ctx, businessId, productId);
  return subscribeToChanges(
    ctx,
    { kind: 'stock', businessId, record: id },
    async (freshCtx, { all, changed }) => {
      const product = await requireVisibleProduct(freshCtx, businessId, id);
      return levelsOf(product, (variant) => all || changed.get(id)?.has(variant.id) === true);
    },
  );
}

const watchAllStock = (ctx: Context, businessId: string) =>
  subscribeToChanges(ctx, { kind: 'stock', businessId }, async (freshCtx, { changed }) => {
    if (changed.size === 0) return [];
    const products = await loadProductMap(freshCtx, businessId, [...changed.keys()]);
    return [...products.values()].flatMap((product) =>
      levelsOf(product, (variant) => changed.get(product.id)?.has(variant.id) === true),
    );
  });

async function requireVisibleProduct(ctx: Context, businessId: string, id: string): Promise<Product> {
  const product = await findProduct(ctx, { businessId, id });
  if (!product) throw notFoundError('Product');
  return product;
}

const levelsOf = (product: Product, isIncluded: (variant: Variant) => boolean): StockLevel[] =>
  product.variants.filter(isIncluded).map(({ id, sku, inventory }) => ({
    productId: product.id,
    variantId: id,
    sku,
    inventory,
  }));
