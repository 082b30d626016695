/** Prices a cart for a quote or a checkout. Rejects with all validation errors at once, each with the field of its line. */
import type { QueryHandle } from '../../db/index.ts';
import { type ErrorDetail, notFoundError, validationErrorFrom } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import type { SellingTerms } from '../businesses/selling-terms.ts';
import { loadGroupNamesOfCustomer } from '../groups/load-group-names-of-customers.ts';
import type { OrderLine } from '../orders/model.ts';
import {
  type CartPrice,
  catchAmountTooLarge,
  computeCartPrice,
  computePriceTotals,
  type LineWithUnitPrice,
  type PromoReduction,
  type ShippingRate,
} from '../pricing/compute-cart-price.ts';
import {
  findPromoCodeError,
  findPromoCodeErrorsWithoutSubtotal,
  type PromoCodeErrorCode,
  type PromoCodeTerms,
  toPromoCodeErrorDetail,
  toPromoReduction,
} from '../pricing/promo-code-eligibility.ts';
import {
  normalizeMarketCode,
  snapshotVariant,
  sumUnitsByVariant,
} from '../pricing/variant-prices-and-snapshot.ts';
import type { PricingProduct, Variant } from '../products/model.ts';
import type {
  CartForQuoteVerification,
  CartLine,
  PriceLock,
  ResolvedCartLine,
} from './checkout-data-types.ts';
import { computeLineUnitPrices, findQuotedLinePrice, listLinePricingGroupIds } from './line-unit-prices.ts';
import { loadCartData } from './load-cart-data.ts';

export interface CartPricingRequest extends CartForQuoteVerification {
  currency?: string | undefined;
  /** Name of the field that holds the lines in the request, for error paths. */
  field: 'lines' | 'items';
}

export interface PricedCart {
  businessName: string;
  market: string;
  currency: string;
  taxBps: number;
  shippingMethodId?: string | undefined;
  shipsHere: boolean;
  promo?: PromoCodeTerms | undefined;
  lines: OrderLine[];
  price: CartPrice;
  /** OUT_OF_STOCK errors by the stock at the time of reading; not reserved yet. */
  outOfStock: ErrorDetail[];
  /** Ids of the variants whose stock is tracked. */
  trackedVariantIds: ReadonlySet<string>;
}

/** With a price lock the locked prices apply; product and variant must still be sold. */
export async function priceCart(
  queries: QueryHandle,
  request: CartPricingRequest,
  lock?: PriceLock,
): Promise<PricedCart> {
  const { terms, products } = await loadCartData(queries, request);
  if (!terms.business) throw notFoundError('Business');
  const errors = [...findMarketErrors(terms, request), ...findShippingMethodErrors(terms, request)];
  const resolved = request.lines.flatMap((line, index): ResolvedCartLine[] => {
    const field = `${request.field}.${index}`;
    const result = resolveCartLine(products, line, field);
    if ('error' in result) errors.push(result);
    return 'error' in result ? [] : [{ field, ...line, ...result }];
  });
  const { market } = terms;
  const promoErrors = () =>
    lock || request.promoCode === undefined
      ? []
      : findPromoCodeErrorsWithoutSubtotal(terms.promo ?? undefined, market?.currency, now());
  if (!market || errors.length > 0) throw validationErrorFrom([...errors, ...promoErrors()]);
  // A price lock already contains group prices.
  const groups = await loadGroupNamesOfCustomer(
    queries,
    request,
    lock ? [] : listLinePricingGroupIds(resolved, market),
  );
  const prices = computeLineUnitPrices(resolved, { market, now: now(), groups });
  const lines = resolved.map((line): LineWithUnitPrice => {
    const price = findQuotedLinePrice(line, lock) ?? prices.get(line);
    if (!price) errors.push(priceNotAvailableError(line.field));
    return { key: line.variant.id, quantity: line.quantity, unitPrice: 0, ...price };
  });
  if (lock && lock.currency !== market.currency) errors.push(currencyChangedError);
  if (lock?.promoCode !== undefined && !terms.promo)
    errors.push(toPromoCodeErrorDetail('PROMO_CODE_INVALID'));
  if (errors.length > 0) throw validationErrorFrom([...errors, ...promoErrors()]);
  const price = catchAmountTooLarge(request.field, () =>
    lock ? lockedCartPrice(lines, lock) : requireCartPrice(lines, terms, request),
  );
  return {
    businessName: terms.business.name,
    market: market.code,
    currency: market.currency,
    taxBps: lock?.taxBps ?? market.taxBps,
    shippingMethodId: terms.shippingMethod?.id,
    shipsHere: terms.shipsHere,
    promo: terms.promo ?? undefined,
    lines: resolved.map((line, index) => toOrderLine(line, lines[index], price.lines[index])),
    price,
    outOfStock: findOutOfStockErrors(resolved),
    trackedVariantIds: new Set(resolved.flatMap(({ variant: v }) => (v.inventory.tracked ? [v.id] : []))),
  };
}

const currencyChangedError: ErrorDetail = {
  field: 'quote',
  error: 'QUOTE_EXPIRED',
  message: 'The currency of the market has changed: request a new quote.',
};

const lockedCartPrice = (
  lines: readonly LineWithUnitPrice[],
  { currency, discount, shipping, taxBps }: PriceLock,
): CartPrice =>
  computePriceTotals({ currency, lines, discount: BigInt(discount), shipping: BigInt(shipping), taxBps });

function requireCartPrice(
  lines: readonly LineWithUnitPrice[],
  terms: SellingTerms,
  request: CartPricingRequest,
): CartPrice {
  const { price, promoError } = priceCartAtCurrentTerms(lines, terms, request);
  if (promoError) throw validationErrorFrom([toPromoCodeErrorDetail(promoError)]);
  return price;
}

interface PriceAtCurrentTerms {
  price: CartPrice;
  promoError?: PromoCodeErrorCode | undefined;
  /** Reduction of the promo code, if it applies. */
  reduction?: PromoReduction | undefined;
}

/** Price at current terms. If the promo code does not apply, the price without it and the error code. */
export function priceCartAtCurrentTerms(
  lines: readonly LineWithUnitPrice[],
  terms: SellingTerms,
  request: CartPricingRequest,
): PriceAtCurrentTerms {
  const { market, promo } = terms;
  if (!market) throw new Error('A cart without a market cannot be priced.');
  const { currency } = market;
  const base = { currency, lines, taxBps: market.taxBps, shipping: shippingRate(terms, request.market) };
  const withoutPromo = computeCartPrice(base);
  if (request.promoCode === undefined) return { price: withoutPromo };
  const promoError = findPromoCodeError(promo ?? undefined, {
    currency,
    subtotal: withoutPromo.subtotal,
    now: now(),
  });
  if (promoError || !promo) return { price: withoutPromo, promoError };
  const reduction = toPromoReduction(promo);
  return { price: computeCartPrice({ ...base, reduction, promoCode: promo.code }), reduction };
}

export function findMarketErrors({ market }: SellingTerms, { currency }: CartPricingRequest): ErrorDetail[] {
  if (!market)
    return [
      { field: 'market', error: 'MARKET_NOT_FOUND', message: 'This business does not sell in this market.' },
    ];
  return currency !== undefined && currency !== market.currency
    ? [{ field: 'currency', error: 'CURRENCY_MISMATCH', message: `This market sells in ${market.currency}.` }]
    : [];
}

const shippingRate = (terms: SellingTerms, market: string): ShippingRate | undefined =>
  terms.shippingMethod?.prices.find(
    (price) => normalizeMarketCode(price.marketId) === normalizeMarketCode(market),
  );

export function findShippingMethodErrors(
  terms: SellingTerms,
  { shippingMethodId, market }: CartPricingRequest,
): ErrorDetail[] {
  if (shippingMethodId === undefined || !terms.market || shippingRate(terms, market)) return [];
  return [
    {
      field: 'shippingMethodId',
      error: 'SHIPPING_METHOD_NOT_FOUND',
      message: 'There is no such shipping method in this market.',
    },
  ];
}

export const shippingMethodRequiredDetail: ErrorDetail = {
  field: 'shippingMethodId',
  error: 'SHIPPING_METHOD_REQUIRED',
  message: 'A shipping method is required in this market.',
};

/** Only ACTIVE products, which customers can see, are sold. */
export function resolveCartLine(
  products: ReadonlyMap<string, PricingProduct>,
  { productId, variantId }: CartLine,
  field: string,
): { product: PricingProduct; variant: Variant } | ErrorDetail {
  const product = products.get(productId);
  if (product?.statuses.at(-1)?.status !== 'ACTIVE')
    return { field: `${field}.productId`, error: 'PRODUCT_NOT_FOUND', message: 'There is no such product.' };
  const variant = product.variants.find(({ id }) => id === variantId);
  return variant
    ? { product, variant }
    : {
        field: `${field}.variantId`,
        error: 'VARIANT_NOT_FOUND',
        message: 'This product has no such variant.',
      };
}

export const priceNotAvailableError = (field: string): ErrorDetail => ({
  field,
  error: 'PRICE_NOT_AVAILABLE',
  message: 'This variant has no price in this market.',
});

const toOrderLine = (
  { product, variant, quantity }: ResolvedCartLine,
  line: LineWithUnitPrice | undefined,
  priced: CartPrice['lines'][number] | undefined,
): OrderLine => ({
  quantity,
  unitPrice: priced?.unitPrice ?? 0,
  totalPrice: priced?.totalPrice ?? 0,
  discount: priced?.discount ?? 0,
  tax: priced?.tax ?? 0,
  taxBps: line?.taxRate?.taxBps,
  taken: undefined,
  ...snapshotVariant(product, variant),
});

export function findOutOfStockErrors(lines: readonly ResolvedCartLine[]): ErrorDetail[] {
  const requested = sumUnitsByVariant(lines);
  return lines.flatMap(({ field, variant: { id, inventory } }) =>
    inventory.tracked && inventory.quantity < (requested.get(id) ?? 0)
      ? [{ field, error: 'OUT_OF_STOCK', message: `Only ${inventory.quantity} left in stock.` }]
      : [],
  );
}
