/** Lines of an order that was placed elsewhere: variants of the business where they are known, and otherwise what they were called. */
import type { Queries } from '../../../db/handles.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { multiplyAmount, rejectOversizedAmount } from '../../pricing/rules.ts';
import { snapshotVariant } from '../../pricing/variant-pricing.ts';
import { loadProductsWithVariants } from '../../products/read/load-products.ts';
import type { OrderLine } from '../model.ts';
import type { ImportedOrderLine } from './schemas.ts';

/** What was sold is told as it was then; stock knows nothing of it. */
export async function resolveImportedLines(
  queries: Queries,
  businessId: string,
  lines: readonly ImportedOrderLine[],
): Promise<OrderLine[]> {
  const products = await loadProductsWithVariants(queries, businessId, {
    ids: lines.flatMap(({ variantId }) => variantId ?? []),
    skus: lines.flatMap(({ sku }) => sku ?? []),
  });
  const known = products.flatMap((product) =>
    product.variants.map((variant) => snapshotVariant(product, variant)),
  );
  const byId = new Map(known.map((one) => [one.variantId, one]));
  const bySku = new Map(known.flatMap((one) => (one.sku === undefined ? [] : [[one.sku, one] as const])));
  const faults: ErrorDetail[] = [];
  const sold = lines.map(({ variantId = '', sku = '', ...line }, index): OrderLine => {
    const found = byId.get(variantId) ?? bySku.get(sku) ?? gone(sku);
    const name = line.name ?? found.name;
    if (name === undefined)
      faults.push({
        field: `lines.${index}.name`,
        error: 'VARIANT_NOT_FOUND',
        message: 'Say the variantId or the sku of a variant of this business, or what was sold by its name.',
      });
    return {
      ...found,
      name: name ?? '',
      variantName: line.variantName ?? found.variantName,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      totalPrice: 0,
      discount: 0,
      tax: 0,
      taken: 0,
    };
  });
  if (faults.length > 0) throw validationErrorFrom(faults);
  return sold;
}

/** As if its product were gone by now: its ids lead nowhere. */
const gone = (sku: string) => ({
  type: 'PRODUCT_VARIANT' as const,
  productId: newId(),
  variantId: newId(),
  name: undefined,
  variantName: undefined,
  sku: sku || undefined,
});

/** The price of each line, which must be what was sent for it. Pure. */
export function computeImportedAmounts(lines: readonly ImportedOrderLine[]): { totalPrice: number }[] {
  const faults: ErrorDetail[] = [];
  const priced = lines.map(({ unitPrice, quantity, totalPrice: sent }, index) => {
    const field = `lines.${index}.totalPrice`;
    const totalPrice = rejectOversizedAmount(field, () => multiplyAmount(unitPrice, quantity));
    if (sent !== undefined && sent !== totalPrice)
      faults.push({ field, error: 'TOTAL_MISMATCH', message: `Quantity and unit price make ${totalPrice}.` });
    return { totalPrice };
  });
  if (faults.length > 0) throw validationErrorFrom(faults);
  return priced;
}
