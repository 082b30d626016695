/** Lines of an imported order: matched to variants of the business by id or SKU, otherwise described by their name only. */
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { catchAmountTooLarge, multiplyAmount } from '../../pricing/compute-cart-price.ts';
import { snapshotVariant } from '../../pricing/variant-prices-and-snapshot.ts';
import { loadProductsWithVariants } from '../../products/read/load-products-of-any-status.ts';
import type { OrderLine } from '../model.ts';
import type { ImportedOrderLine } from './schemas.ts';

/** Names and prices come from the import. `taken` is 0, because no stock is moved. */
export async function resolveImportedLines(
  queries: QueryHandle,
  businessId: string,
  lines: readonly ImportedOrderLine[],
): Promise<OrderLine[]> {
  const products = await loadProductsWithVariants(queries, businessId, {
    ids: lines.flatMap(({ variantId }) => variantId ?? []),
    skus: lines.flatMap(({ sku }) => sku ?? []),
  });
  const snapshots = products.flatMap((product) =>
    product.variants.map((variant) => snapshotVariant(product, variant)),
  );
  const byId = new Map(snapshots.map((snapshot) => [snapshot.variantId, snapshot]));
  const bySku = new Map(
    snapshots.flatMap((snapshot) => (snapshot.sku === undefined ? [] : [[snapshot.sku, snapshot] as const])),
  );
  const errors: ErrorDetail[] = [];
  const resolved = lines.map(({ variantId = '', sku = '', ...line }, index): OrderLine => {
    const snapshot = byId.get(variantId) ?? bySku.get(sku) ?? unknownVariant(sku);
    const name = line.name ?? snapshot.name;
    if (name === undefined)
      errors.push({
        field: `lines.${index}.name`,
        error: 'VARIANT_NOT_FOUND',
        message: 'Send the variantId or sku of a variant of this business, or the name of the item.',
      });
    return {
      ...snapshot,
      name: name ?? '',
      variantName: line.variantName ?? snapshot.variantName,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      totalPrice: 0,
      discount: 0,
      tax: 0,
      taken: 0,
    };
  });
  if (errors.length > 0) throw validationErrorFrom(errors);
  return resolved;
}

/** Snapshot with new ids that refer to no product, like a line whose product was deleted. */
const unknownVariant = (sku: string) => ({
  type: 'PRODUCT_VARIANT' as const,
  productId: newId(),
  variantId: newId(),
  name: undefined,
  variantName: undefined,
  sku: sku || undefined,
});

/** Computes the total price per line; a `totalPrice` in the import must match it. Pure. */
export function computeImportedLineTotals(lines: readonly ImportedOrderLine[]): { totalPrice: number }[] {
  const errors: ErrorDetail[] = [];
  const priced = lines.map(({ unitPrice, quantity, totalPrice: inputTotal }, index) => {
    const field = `lines.${index}.totalPrice`;
    const totalPrice = catchAmountTooLarge(field, () => multiplyAmount(unitPrice, quantity));
    if (inputTotal !== undefined && inputTotal !== totalPrice)
      errors.push({
        field,
        error: 'TOTAL_MISMATCH',
        message: `Must be quantity times unit price: ${totalPrice}.`,
      });
    return { totalPrice };
  });
  if (errors.length > 0) throw validationErrorFrom(errors);
  return priced;
}
