/** Puts prices on a cart: every reason why it cannot be sold is named, with the line it belongs to. */
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, invalid, notFound } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { type SellingTerms, sellingTerms } from '../businesses/selling-terms.ts';
import { groupsOf } from '../groups/groups-of.ts';
import type { OrderLine } from '../orders/model.ts';
import { marketKey, snapshotOf, unitsByVariant } from '../pricing/catalogue.ts';
import { type Promo, type PromoFault, promoDetail, promoFault, reductionOf } from '../pricing/promo.ts';
import {
  fitting,
  type Price,
  type PriceLine,
  priceOf,
  type ShippingRate,
  totalsOf,
} from '../pricing/rules.ts';
import { anyProducts } from '../products/load-products.ts';
import type { Product, Variant } from '../products/model.ts';
import { groupsInLines, type LinePrice, linePrices } from './line-prices.ts';
import type { CartLine, PriceLock, SoldLine } from './model.ts';

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

export interface Cart {
  businessName: string;
  market: string;
  currency: string;
  taxBps: number;
  shippingMethodId?: string | undefined;
  shipsHere: boolean;
  promo?: Promo | undefined;
  lines: OrderLine[];
  price: Price;
  /** The tracked lines that stock, as it was read, does not cover. */
  short: ErrorDetail[];
}

/** With a price lock the locked prices count; what is sold must still be there. */
export async function priceCart(queries: Queries, request: CartRequest, lock?: PriceLock): Promise<Cart> {
  const terms = await sellingTerms(queries, request);
  if (!terms.business) throw notFound('Business');
  const products = await anyProducts(
    queries,
    request.businessId,
    request.lines.map((line) => line.productId),
  );
  const faults = [...marketFaults(terms, request), ...shippingFaults(terms, request)];
  const sold = request.lines.flatMap((line, index): SoldLine[] => {
    const field = `${request.field}.${index}`;
    const found = findLine(products, line, field);
    if ('error' in found) faults.push(found);
    return 'error' in found ? [] : [{ field, ...line, ...found }];
  });
  const { market } = terms;
  if (!market || faults.length > 0) throw invalid(...faults);
  // What a lock says was decided when it was made.
  const groups = await groupsOf(queries, request, lock ? [] : groupsInLines(sold, market));
  const prices = linePrices(sold, { market, now: now(), groups });
  const lines = sold.map((line): PriceLine => {
    const price = lockedLine(line, lock) ?? prices.get(line);
    if (!price) faults.push(notPriced(line.field));
    return { key: line.variant.id, quantity: line.quantity, unitPrice: 0, ...price };
  });
  if (lock && lock.currency !== market.currency) faults.push(outdated);
  if (lock?.promoCode !== undefined && !terms.promo) faults.push(promoDetail('PROMO_CODE_INVALID'));
  if (faults.length > 0) throw invalid(...faults);
  const price = fitting(request.field, () =>
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
    short: shortLines(sold),
  };
}

const outdated: ErrorDetail = {
  field: 'quote',
  error: 'QUOTE_EXPIRED',
  message: 'The market has another currency by now, ask for a new quote.',
};

/** Undefined without a lock, and where that says nothing of the line. */
function lockedLine({ variantId }: SoldLine, lock: PriceLock | undefined): LinePrice | undefined {
  const unitPrice = lock?.prices.get(variantId);
  const taxBps = lock?.taxes.get(variantId);
  return unitPrice === undefined
    ? undefined
    : { unitPrice, taxRate: taxBps === undefined ? undefined : { taxBps } };
}

const lockedPrice = (lines: readonly PriceLine[], { discount, shipping, taxBps }: PriceLock): Price =>
  totalsOf({ lines, discount: BigInt(discount), shipping: BigInt(shipping), taxBps });

function sellingPrice(lines: readonly PriceLine[], terms: SellingTerms, request: CartRequest): Price {
  const { price, fault } = freshPrice(lines, terms, request);
  if (fault) throw invalid(promoDetail(fault));
  return price;
}

/** Without the promo code when that does not apply, and why it does not. */
export function freshPrice(
  lines: readonly PriceLine[],
  terms: SellingTerms,
  request: CartRequest,
): { price: Price; fault?: PromoFault | undefined } {
  const { market, promo } = terms;
  if (!market) throw new Error('Only carts with a market are priced.');
  const base = { lines, taxBps: market.taxBps, shipping: shippingRate(terms, request.market) };
  const plain = priceOf(base);
  if (request.promoCode === undefined) return { price: plain };
  const { currency } = market;
  const fault = promoFault(promo ?? undefined, { currency, subtotal: plain.subtotal, now: now() });
  return fault || !promo
    ? { price: plain, fault }
    : { price: priceOf({ ...base, reduction: reductionOf(promo), promoCode: promo.code }) };
}

export function marketFaults({ market }: SellingTerms, { currency }: CartRequest): ErrorDetail[] {
  if (!market)
    return [{ field: 'market', error: 'MARKET_NOT_FOUND', message: 'This business does not sell there.' }];
  return currency !== undefined && currency !== market.currency
    ? [{ field: 'currency', error: 'CURRENCY_MISMATCH', message: `This market sells in ${market.currency}.` }]
    : [];
}

const shippingRate = (terms: SellingTerms, market: string): ShippingRate | undefined =>
  terms.shippingMethod?.prices.find((price) => marketKey(price.marketId) === marketKey(market));

export function shippingFaults(
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

export const shippingRequired: ErrorDetail = {
  field: 'shippingMethodId',
  error: 'SHIPPING_METHOD_REQUIRED',
  message: 'Choose how to ship: this business ships to this market.',
};

/** Only what customers can see can be sold to them. */
export function findLine(
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

export const notPriced = (field: string): ErrorDetail => ({
  field,
  error: 'PRICE_NOT_AVAILABLE',
  message: 'This variant has no price in this market.',
});

const lineOf = (
  { product, variant, quantity }: SoldLine,
  line: PriceLine | undefined,
  priced: Price['lines'][number] | undefined,
): OrderLine => ({
  ...snapshotOf(product, variant),
  quantity,
  unitPrice: priced?.unitPrice ?? 0,
  totalPrice: priced?.totalPrice ?? 0,
  discount: priced?.discount ?? 0,
  tax: priced?.tax ?? 0,
  ...(line?.taxRate ? { taxBps: line.taxRate.taxBps } : {}),
});

export function shortLines(lines: readonly SoldLine[]): ErrorDetail[] {
  const wanted = unitsByVariant(lines);
  return lines.flatMap(({ field, variant: { id, inventory } }) =>
    inventory.tracked && inventory.quantity < (wanted.get(id) ?? 0)
      ? [{ field, error: 'OUT_OF_STOCK', message: `Only ${inventory.quantity} left in stock.` }]
      : [],
  );
}
