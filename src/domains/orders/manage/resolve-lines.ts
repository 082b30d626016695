/** Lines of a manual order: validates the input lines and completes them from the catalogue. */
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { loadGroupNamesOfCustomer } from '../../groups/load-memberships.ts';
import { catchAmountTooLarge, multiplyAmount } from '../../pricing/rules.ts';
import { computeUnitPrice } from '../../pricing/unit-price.ts';
import {
  findMarketPrice,
  listGroupIdsInPrices,
  snapshotVariant,
  sumUnitsByVariant,
} from '../../pricing/variant-pricing.ts';
import { loadProductsOfAnyStatus } from '../../products/read/load-products.ts';
import type { OrderLine } from '../model.ts';
import type { OrderLineArgs } from '../schemas.ts';

interface Terms {
  businessId: string;
  market: string;
  currency: string;
  customerId?: string | undefined;
}

/** Variants that are already in `current` keep their snapshot and price, because the product may have been deleted since. */
export async function resolveOrderLines(
  queries: QueryHandle,
  terms: Terms,
  inputs: readonly OrderLineArgs[],
  current: readonly OrderLine[] = [],
): Promise<OrderLine[]> {
  const byVariant = new Map(current.map((line) => [line.variantId, line]));
  const findCurrent = ({ productId, variantId }: OrderLineArgs) => {
    const line = byVariant.get(variantId);
    return line?.productId === productId ? line : undefined;
  };
  const newInputs = inputs.filter((input) => !findCurrent(input));
  const products = await loadProductsOfAnyStatus(
    queries,
    terms.businessId,
    newInputs.map((input) => input.productId),
  );
  const units = sumUnitsByVariant(inputs);
  const groups = await loadGroupNamesOfCustomer(queries, terms, requiredGroupIds(products, newInputs, terms));
  const errors: ErrorDetail[] = [];
  const lines = inputs.map((input, index): OrderLine | undefined => {
    const field = `lines.${index}`;
    const source =
      findCurrent(input) ?? lineFromCatalogue(products, input, { ...terms, groups }, units, field);
    if ('error' in source) {
      errors.push(source);
      return undefined;
    }
    const unitPrice = input.unitPrice ?? source.unitPrice;
    if (unitPrice === undefined) {
      errors.push({
        field: `${field}.unitPrice`,
        error: 'PRICE_NOT_AVAILABLE',
        message: 'This variant has no price in this market: send a unitPrice.',
      });
      return undefined;
    }
    const totalPrice = catchAmountTooLarge(`${field}.totalPrice`, () =>
      multiplyAmount(unitPrice, input.quantity),
    );
    if (input.totalPrice !== undefined && input.totalPrice !== totalPrice) {
      errors.push({
        field: `${field}.totalPrice`,
        error: 'TOTAL_MISMATCH',
        message: `Must be quantity times unit price: ${totalPrice}.`,
      });
    }
    const { productId, variantId, name, variantName, sku } = source;
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
  if (errors.length > 0) throw validationError(...errors);
  return lines.filter((line) => line !== undefined);
}

/** Ids of the customer groups with a special price for any line that has no `unitPrice` in the input. */
const requiredGroupIds = (
  products: Awaited<ReturnType<typeof loadProductsOfAnyStatus>>,
  inputs: readonly OrderLineArgs[],
  { market, currency }: Terms,
): string[] =>
  listGroupIdsInPrices(
    inputs.map(({ productId, variantId, unitPrice }) => {
      const variant = products.get(productId)?.variants.find(({ id }) => id === variantId);
      return variant && unitPrice === undefined
        ? findMarketPrice(variant, { code: market, currency })
        : undefined;
    }),
  );

function lineFromCatalogue(
  products: Awaited<ReturnType<typeof loadProductsOfAnyStatus>>,
  input: OrderLineArgs,
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
  const context = { quantity: units.get(input.variantId) ?? input.quantity, now: now(), groups };
  return {
    ...snapshotVariant(product, variant),
    unitPrice: price && computeUnitPrice(price, context).unitPrice,
  };
}
