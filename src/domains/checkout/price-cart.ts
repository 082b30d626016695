/** Puts prices on a cart: every reason why it cannot be sold is named, with the line it belongs to. */
import type { Queries } from '../../db/handles.ts';
import { type ErrorDetail, notFoundError, validationError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { loadSellingTerms, type SellingTerms } from '../businesses/selling-terms.ts';
import { loadGroupsOfCustomer } from '../groups/load-memberships.ts';
import type { OrderLine } from '../orders/model.ts';
import {
  type Promo,
  type PromoErrorCode,
  promoDetail,
  promoErrorFor,
  toReduction,
} from '../pricing/promo-code.ts';
import {
  type CartPrice,
  computeCartPrice,
  computeTotals,
  type PriceLine,
  rejectOversizedAmount,
  type ShippingRate,
} from '../pricing/rules.ts';
import { normalizeMarketCode, snapshotVariant, sumUnitsByVariant } from '../pricing/variant-pricing.ts';
import type { Product, Variant } from '../products/model.ts';
import { loadProductsOfAnyStatus } from '../products/read/load-products.ts';
import type { CartLine, PriceLock, ResolvedCartLine } from './model.ts';
import { type LinePrice, lineGroupIds, priceLines } from './price-lines.ts';

export interface CartRequest {
  businessId: string;
  market: string;
  currency?: string | undefined;
  lines: readonly CartLine[];
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  customerId?: string | undefined;
  /** What lines are called on the wire: `lines` or `items`. */
  field: 'lines' | 'items';
}

export interface PricedCart {
  businessName: string;
  market: string;
  currency: string;
  taxBps: number;
  shippingMethodId?: string | undefined;
  shipsHere: boolean;
  promo?: Promo | undefined;
  lines: OrderLine[];
  price: CartPrice;
  /** The tracked lines that stock, as it was read, does not cover. */
  short: ErrorDetail[];
}

/** With a price lock the locked prices count; what is sold must still be there. */
export async function priceCart(
  queries: Queries,
  request: CartRequest,
  lock?: PriceLock,
): Promise<PricedCart> {
  const terms = await loadSellingTerms(queries, request);
  if (!terms.business) throw notFoundError('Business');
  const products = await loadProductsOfAnyStatus(
    queries,
    request.businessId,
    request.lines.map((line) => line.productId),
  );
  const faults = [...marketErrors(terms, request), ...shippingErrors(terms, request)];
  const sold = request.lines.flatMap((line, index): ResolvedCartLine[] => {
    const field = `${request.field}.${index}`;
    const found = resolveCartLine(products, line, field);
    if ('error' in found) faults.push(found);
    return 'error' in found ? [] : [{ field, ...line, ...found }];
  });
  const { market } = terms;
  if (!market || faults.length > 0) throw validationError(...faults);
  // What a lock says was decided when it was made.
  const groups = await loadGroupsOfCustomer(queries, request, lock ? [] : lineGroupIds(sold, market));
  const prices = priceLines(sold, { market, now: now(), groups });
  const lines = sold.map((line): PriceLine => {
    const price = lockedLine(line, lock) ?? prices.get(line);
    if (!price) faults.push(priceNotAvailableError(line.field));
    return { key: line.variant.id, quantity: line.quantity, unitPrice: 0, ...price };
  });
  if (lock && lock.currency !== market.currency) faults.push(outdated);
  if (lock?.promoCode !== undefined && !terms.promo) faults.push(promoDetail('PROMO_CODE_INVALID'));
  if (faults.length > 0) throw validationError(...faults);
  const price = rejectOversizedAmount(request.field, () =>
    lock ? lockedPrice(lines, lock) : sellingPrice(lines, terms, request),
  );
  return {
    businessName: terms.business.name,
    market: market.code,
    currency: market.currency,
    taxBps: lock?.taxBps ?? market.taxBps,
    shippingMethodId: terms.shippingMethod?.id,
    shipsHere: terms.shipsHere,
    promo: terms.promo ?? undefined,
    lines: sold.map((line, index) => lineOf(line, lines[index], price.lines[index])),
    price,
    short: outOfStockErrors(sold),
  };
}

const outdated: ErrorDetail = {
  field: 'quote',
  error: 'QUOTE_EXPIRED',
  message: 'The market has another currency by now, ask for a new quote.',
};

/** Undefined without a lock, and where that says nothing of the line. */
function lockedLine({ variantId }: ResolvedCartLine, lock: PriceLock | undefined): LinePrice | undefined {
  const unitPrice = lock?.prices.get(variantId);
  const taxBps = lock?.taxes.get(variantId);
  return unitPrice === undefined
    ? undefined
    : { unitPrice, taxRate: taxBps === undefined ? undefined : { taxBps } };
}

const lockedPrice = (lines: readonly PriceLine[], { discount, shipping, taxBps }: PriceLock): CartPrice =>
  computeTotals({ lines, discount: BigInt(discount), shipping: BigInt(shipping), taxBps });

function sellingPrice(lines: readonly PriceLine[], terms: SellingTerms, request: CartRequest): CartPrice {
  const { price, fault } = priceCartLines(lines, terms, request);
  if (fault) throw validationError(promoDetail(fault));
  return price;
}

/** Without the promo code when that does not apply, and why it does not. */
export function priceCartLines(
  lines: readonly PriceLine[],
  terms: SellingTerms,
  request: CartRequest,
): { price: CartPrice; fault?: PromoErrorCode | undefined } {
  const { market, promo } = terms;
  if (!market) throw new Error('Only carts with a market are priced.');
  const base = { lines, taxBps: market.taxBps, shipping: shippingRate(terms, request.market) };
  const plain = computeCartPrice(base);
  if (request.promoCode === undefined) return { price: plain };
  const { currency } = market;
  const fault = promoErrorFor(promo ?? undefined, { currency, subtotal: plain.subtotal, now: now() });
  return fault || !promo
    ? { price: plain, fault }
    : { price: computeCartPrice({ ...base, reduction: toReduction(promo), promoCode: promo.code }) };
}

export function marketErrors({ market }: SellingTerms, { currency }: CartRequest): ErrorDetail[] {
  if (!market)
    return [{ field: 'market', error: 'MARKET_NOT_FOUND', message: 'This business does not sell there.' }];
  return currency !== undefined && currency !== market.currency
    ? [{ field: 'currency', error: 'CURRENCY_MISMATCH', message: `This market sells in ${market.currency}.` }]
    : [];
}

const shippingRate = (terms: SellingTerms, market: string): ShippingRate | undefined =>
  terms.shippingMethod?.prices.find(
    (price) => normalizeMarketCode(price.marketId) === normalizeMarketCode(market),
  );

export function shippingErrors(
  terms: SellingTerms,
  { shippingMethodId, market }: CartRequest,
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

export const shippingRequiredError: ErrorDetail = {
  field: 'shippingMethodId',
  error: 'SHIPPING_METHOD_REQUIRED',
  message: 'Choose how to ship: this business ships to this market.',
};

/** Only what customers can see can be sold to them. */
export function resolveCartLine(
  products: ReadonlyMap<string, Product>,
  { productId, variantId }: CartLine,
  field: string,
): { product: Product; variant: Variant } | ErrorDetail {
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

const lineOf = (
  { product, variant, quantity }: ResolvedCartLine,
  line: PriceLine | undefined,
  priced: CartPrice['lines'][number] | undefined,
): OrderLine => ({
  ...snapshotVariant(product, variant),
  quantity,
  unitPrice: priced?.unitPrice ?? 0,
  totalPrice: priced?.totalPrice ?? 0,
  discount: priced?.discount ?? 0,
  tax: priced?.tax ?? 0,
  ...(line?.taxRate ? { taxBps: line.taxRate.taxBps } : {}),
});

export function outOfStockErrors(lines: readonly ResolvedCartLine[]): ErrorDetail[] {
  const wanted = sumUnitsByVariant(lines);
  return lines.flatMap(({ field, variant: { id, inventory } }) =>
    inventory.tracked && inventory.quantity < (wanted.get(id) ?? 0)
      ? [{ field, error: 'OUT_OF_STOCK', message: `Only ${inventory.quantity} left in stock.` }]
      : [],
  );
}
