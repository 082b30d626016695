/** Lines of a manual or edited order: validates the input lines and completes them from the current lines and the catalogue. */
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import type { CategoryTax } from '../../businesses/shipping-price-and-category-tax.ts';
import { loadGroupNamesOfCustomer } from '../../groups/load-group-names-of-customers.ts';
import { catchAmountTooLarge, multiplyAmount } from '../../pricing/compute-cart-price.ts';
import { computeUnitPrice } from '../../pricing/unit-price.ts';
import {
  findMarketPrice,
  listGroupIdsInPrices,
  snapshotVariant,
  sumUnitsByVariant,
} from '../../pricing/variant-prices-and-snapshot.ts';
import type { PricingProduct, Variant } from '../../products/model.ts';
import { loadProductsOfAnyStatus } from '../../products/read/load-products-of-any-status.ts';
import type { OrderLine } from '../model.ts';
import type { OrderLineArgs } from '../schemas.ts';
import { isSameVariant, matchOrderLines } from './match-order-lines.ts';

interface Terms {
  businessId: string;
  market: string;
  currency: string;
  customerId?: string | undefined;
  /** Tax rates by product category, for added lines of an order with tax rates. */
  taxRates?: readonly CategoryTax[] | undefined;
}

/** Catalogue in which lines are looked up. */
interface Catalogue extends Terms {
  products: ReadonlyMap<string, PricingProduct>;
  groups: ReadonlyMap<string, string>;
}

type LineSource = Pick<
  OrderLine,
  'productId' | 'variantId' | 'name' | 'variantName' | 'sku' | 'taxBps' | 'priceSetByStaff'
> & { unitPrice: number | undefined };

/**
 * A line of `current` keeps its snapshot, tax rate and agreed price, because the product may have changed or been deleted since. Its
 * price follows the quantity tiers if it is still the catalogue price of the previous quantity and was not set by staff.
 */
export async function resolveOrderLines(
  queries: QueryHandle,
  terms: Terms,
  inputs: readonly OrderLineArgs[],
  current: readonly OrderLine[] = [],
): Promise<OrderLine[]> {
  const matches = matchOrderLines(inputs, current);
  const [unitsBefore, units] = [sumUnitsByVariant(current), sumUnitsByVariant(inputs)];
  const hasNewPrice = (input: OrderLineArgs) =>
    !matches.has(input) || unitsBefore.get(input.variantId) !== units.get(input.variantId);
  const catalogue = await loadCatalogue(queries, terms, inputs.filter(hasNewPrice));
  const errors: ErrorDetail[] = [];
  const lines = inputs.map((input, index): OrderLine | undefined => {
    const field = `lines.${index}`;
    const match = matches.get(input);
    const source = match
      ? withTierPrice(match, catalogue, unitsBefore, units)
      : lineFromCatalogue(catalogue, input, units, field);
    // A further line of a variant that is no longer in the catalogue is like the existing one.
    const line = 'error' in source ? current.find((other) => isSameVariant(other, input)) : source;
    if (!line) {
      if ('error' in source) errors.push(source);
      return undefined;
    }
    return resolveLine(line, input, match, field, errors);
  });
  if (errors.length > 0) throw validationErrorFrom(errors);
  return lines.filter((line) => line !== undefined);
}

function resolveLine(
  source: LineSource,
  input: OrderLineArgs,
  match: OrderLine | undefined,
  field: string,
  errors: ErrorDetail[],
): OrderLine | undefined {
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
  const isUnchanged = match?.unitPrice === input.unitPrice && match?.quantity === input.quantity;
  const priceSetByStaff = input.unitPrice === undefined || isUnchanged ? source.priceSetByStaff : true;
  const { productId, variantId, name, variantName, sku, taxBps } = source;
  return {
    ...{ type: 'PRODUCT_VARIANT', productId, variantId, name, variantName, sku },
    ...{ quantity: input.quantity, unitPrice, totalPrice, discount: 0, tax: 0 },
    ...(taxBps === undefined ? {} : { taxBps }),
    ...(priceSetByStaff ? { priceSetByStaff } : {}),
  };
}

/** Loads the products of the lines, and the customer groups with a special price for them. */
async function loadCatalogue(
  queries: QueryHandle,
  terms: Terms,
  inputs: readonly OrderLineArgs[],
): Promise<Catalogue> {
  const products = await loadProductsOfAnyStatus(
    queries,
    terms.businessId,
    inputs.map((input) => input.productId),
  );
  const prices = inputs.map((input) => {
    const variant = input.unitPrice === undefined ? findVariant(products, input) : undefined;
    return variant && findMarketPrice(variant, { code: terms.market, currency: terms.currency });
  });
  const groups = await loadGroupNamesOfCustomer(queries, terms, listGroupIdsInPrices(prices));
  return { ...terms, products, groups };
}

const findVariant = (
  products: Catalogue['products'],
  { productId, variantId }: Pick<OrderLineArgs, 'productId' | 'variantId'>,
): Variant | undefined => products.get(productId)?.variants.find(({ id }) => id === variantId);

/** Current price of one unit when the order has `units` of the variant. */
function cataloguePrice(catalogue: Catalogue, variant: Variant, units: number): number | undefined {
  const { market: code, currency, groups } = catalogue;
  const price = findMarketPrice(variant, { code, currency });
  return price && computeUnitPrice(price, { quantity: units, now: now(), groups }).unitPrice;
}

function withTierPrice(
  line: OrderLine,
  catalogue: Catalogue,
  unitsBefore: ReadonlyMap<string, number>,
  units: ReadonlyMap<string, number>,
): LineSource {
  const variant = line.priceSetByStaff ? undefined : findVariant(catalogue.products, line);
  if (!variant) return line;
  const priceAt = (byVariant: ReadonlyMap<string, number>) =>
    cataloguePrice(catalogue, variant, byVariant.get(line.variantId) ?? 0);
  return priceAt(unitsBefore) === line.unitPrice ? { ...line, unitPrice: priceAt(units) } : line;
}

function lineFromCatalogue(
  catalogue: Catalogue,
  input: OrderLineArgs,
  units: ReadonlyMap<string, number>,
  field: string,
): LineSource | ErrorDetail {
  const product = catalogue.products.get(input.productId);
  if (!product)
    return { field: `${field}.productId`, error: 'PRODUCT_NOT_FOUND', message: 'There is no such product.' };
  const variant = findVariant(catalogue.products, input);
  if (!variant)
    return {
      field: `${field}.variantId`,
      error: 'VARIANT_NOT_FOUND',
      message: 'This product has no such variant.',
    };
  return {
    ...snapshotVariant(product, variant),
    taxBps: catalogue.taxRates?.find(({ category }) => category === product.category)?.taxBps,
    unitPrice: cataloguePrice(catalogue, variant, units.get(input.variantId) ?? input.quantity),
  };
}
