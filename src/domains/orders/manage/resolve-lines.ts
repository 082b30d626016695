/** Lines of a manual order: what staff sent, completed from the catalogue and checked against it. */
import type { Queries } from '../../../db/handles.ts';
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { loadGroupsOfCustomer } from '../../groups/load-memberships.ts';
import { multiplyAmount, rejectOversizedAmount } from '../../pricing/rules.ts';
import { computeUnitPrice } from '../../pricing/unit-price.ts';
import {
  findMarketPrice,
  groupIdsInPrices,
  snapshotVariant,
  sumUnitsByVariant,
} from '../../pricing/variant-pricing.ts';
import { loadProductsOfAnyStatus } from '../../products/read/load-products.ts';
import type { OrderLine } from '../model.ts';
import type { OrderLineInput } from '../schemas.ts';

interface Terms {
  businessId: string;
  market: string;
  currency: string;
  customerId?: string | undefined;
}

/** Variants that `current` holds already keep their snapshot and price; the product may be gone since. */
export async function resolveOrderLines(
  queries: Queries,
  terms: Terms,
  inputs: readonly OrderLineInput[],
  current: readonly OrderLine[] = [],
): Promise<OrderLine[]> {
  const byVariant = new Map(current.map((line) => [line.variantId, line]));
  const kept = ({ productId, variantId }: OrderLineInput) => {
    const line = byVariant.get(variantId);
    return line?.productId === productId ? line : undefined;
  };
  const fresh = inputs.filter((input) => !kept(input));
  const products = await loadProductsOfAnyStatus(
    queries,
    terms.businessId,
    fresh.map((input) => input.productId),
  );
  const units = sumUnitsByVariant(inputs);
  const groups = await loadGroupsOfCustomer(queries, terms, groupsIn(products, fresh, terms));
  const faults: ErrorDetail[] = [];
  const lines = inputs.map((input, index): OrderLine | undefined => {
    const field = `lines.${index}`;
    const found = kept(input) ?? soldLine(products, input, { ...terms, groups }, units, field);
    if ('error' in found) {
      faults.push(found);
      return undefined;
    }
    const unitPrice = input.unitPrice ?? found.unitPrice;
    if (unitPrice === undefined) {
      faults.push({
        field: `${field}.unitPrice`,
        error: 'PRICE_NOT_AVAILABLE',
        message: 'This variant has no price in this market: send a unitPrice.',
      });
      return undefined;
    }
    const totalPrice = rejectOversizedAmount(`${field}.totalPrice`, () =>
      multiplyAmount(unitPrice, input.quantity),
    );
    if (input.totalPrice !== undefined && input.totalPrice !== totalPrice) {
      faults.push({
        field: `${field}.totalPrice`,
        error: 'TOTAL_MISMATCH',
        message: `Quantity and unit price make ${totalPrice}.`,
      });
    }
    const { productId, variantId, name, variantName, sku } = found;
    return {
      type: 'PRODUCT_VARIANT',
      productId,
      variantId,
      name,
      variantName,
      sku,
      quantity: input.quantity,
      unitPrice,
      totalPrice,
      discount: 0,
      tax: 0,
    };
  });
  if (faults.length > 0) throw validationError(...faults);
  return lines.filter((line) => line !== undefined);
}

/** The customer groups that lines without a price of their own have prices for. */
const groupsIn = (
  products: Awaited<ReturnType<typeof loadProductsOfAnyStatus>>,
  inputs: readonly OrderLineInput[],
  { market, currency }: Terms,
): string[] =>
  groupIdsInPrices(
    inputs.map(({ productId, variantId, unitPrice }) => {
      const variant = products.get(productId)?.variants.find(({ id }) => id === variantId);
      return variant && unitPrice === undefined
        ? findMarketPrice(variant, { code: market, currency })
        : undefined;
    }),
  );

function soldLine(
  products: Awaited<ReturnType<typeof loadProductsOfAnyStatus>>,
  input: OrderLineInput,
  { market, currency, groups }: Terms & { groups: ReadonlyMap<string, string> },
  units: ReadonlyMap<string, number>,
  field: string,
): (ReturnType<typeof snapshotVariant> & { unitPrice: number | undefined }) | ErrorDetail {
  const product = products.get(input.productId);
  if (!product)
    return { field: `${field}.productId`, error: 'PRODUCT_NOT_FOUND', message: 'There is no such product.' };
  const variant = product.variants.find(({ id }) => id === input.variantId);
  if (!variant)
    return {
      field: `${field}.variantId`,
      error: 'VARIANT_NOT_FOUND',
      message: 'This product has no such variant.',
    };
  const price = findMarketPrice(variant, { code: market, currency });
  const at = { quantity: units.get(input.variantId) ?? input.quantity, now: now(), groups };
  return { ...snapshotVariant(product, variant), unitPrice: price && computeUnitPrice(price, at).unitPrice };
}
