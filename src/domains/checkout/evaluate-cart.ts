/** Prices a stored cart at current terms. Unlike `priceCart`, it does not reject: unsellable lines are reported as problems and the others are priced. Reads only. */
import type { QueryHandle } from '../../db/index.ts';
import { type ErrorDetail, notFoundError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import type { SellingTerms } from '../businesses/selling-terms.ts';
import { loadGroupNamesOfCustomer } from '../groups/load-group-names-of-customers.ts';
import {
  AmountTooLargeError,
  type CartPrice,
  type PriceTotals,
  type PromoReduction,
} from '../pricing/compute-cart-price.ts';
import type { LinePriceStep } from '../pricing/line-price-breakdown.ts';
import { toPromoCodeErrorDetail } from '../pricing/promo-code-eligibility.ts';
import { snapshotVariant } from '../pricing/variant-prices-and-snapshot.ts';
import type { PricingProduct } from '../products/model.ts';
import type { ResolvedCartLine } from './checkout-data-types.ts';
import { computeLineUnitPrices, listLinePricingGroupIds } from './line-unit-prices.ts';
import { loadCartData } from './load-cart-data.ts';
import {
  type CartPricingRequest,
  findMarketErrors,
  findOutOfStockErrors,
  findShippingMethodErrors,
  priceCartAtCurrentTerms,
  priceNotAvailableError,
  resolveCartLine,
  shippingMethodRequiredDetail,
} from './price-cart.ts';

export interface EvaluatedCartLine {
  name: string;
  variantName?: string | undefined;
  sku?: string | undefined;
  /** Units in stock; undefined when stock is not tracked. */
  available?: number | undefined;
  isOutOfStock: boolean;
  /** Undefined when the variant has no price in this market. */
  unitPrice?: number | undefined;
  /** Undefined without a price, or when the amount exceeds the safe integer range. */
  totalPrice?: number | undefined;
  /** Steps from list price to final price. */
  applied?: readonly LinePriceStep[] | undefined;
}

export interface CartEvaluation {
  currency?: string | undefined;
  taxBps?: number | undefined;
  /** In cart order; undefined for a variant that is no longer sold. */
  lines: readonly (EvaluatedCartLine | undefined)[];
  /** Totals of the priced lines; undefined without a market, or when an amount exceeds the safe integer range. */
  totals?: PriceTotals | undefined;
  /** Reduction of the promo code, if it applies. */
  reduction?: PromoReduction | undefined;
  /** All validation errors that would make checkout fail. */
  problems: readonly ErrorDetail[];
}

/** Data loaded from the database to price a cart. */
interface CartPricingData {
  terms: SellingTerms;
  products: ReadonlyMap<string, PricingProduct>;
  groups: ReadonlyMap<string, string>;
}

export async function evaluateCart(
  queries: QueryHandle,
  request: CartPricingRequest,
): Promise<CartEvaluation> {
  const { terms, products } = await loadCartData(queries, request);
  const groups = await loadGroupNamesOfCustomer(
    queries,
    request,
    listCartPricingGroupIds(request, { terms, products }),
  );
  return computeCartEvaluation(request, { terms, products, groups });
}

/** Ids of the customer groups that have special prices for lines of the cart. */
export function listCartPricingGroupIds(
  request: CartPricingRequest,
  { terms: { market }, products }: Pick<CartPricingData, 'terms' | 'products'>,
): string[] {
  const resolved = resolveLines(request, products).flatMap((line) => ('error' in line ? [] : [line]));
  return market ? listLinePricingGroupIds(resolved, market) : [];
}

const resolveLines = (
  request: CartPricingRequest,
  products: CartPricingData['products'],
): (ResolvedCartLine | ErrorDetail)[] =>
  request.lines.map((line, index) => {
    const field = `${request.field}.${index}`;
    const resolved = resolveCartLine(products, line, field);
    return 'error' in resolved ? resolved : { field, ...line, ...resolved };
  });

/** Pure, except that it reads the clock. */
export function computeCartEvaluation(
  request: CartPricingRequest,
  { terms, products, groups }: CartPricingData,
): CartEvaluation {
  if (!terms.business) throw notFoundError('Business');
  const problems = [...findMarketErrors(terms, request), ...findShippingMethodErrors(terms, request)];
  const resolved = resolveLines(request, products).map((line): ResolvedCartLine | undefined => {
    if (!('error' in line)) return line;
    problems.push(line);
    return undefined;
  });
  const { market } = terms;
  const sellable = resolved.filter((line) => line !== undefined);
  const linePrices = market ? computeLineUnitPrices(sellable, { market, now: now(), groups }) : undefined;
  const priced = resolved.flatMap((line) => {
    const price = line && linePrices?.get(line);
    if (line && market && !price) problems.push(priceNotAvailableError(line.field));
    return line && price ? [{ line, price }] : [];
  });
  const stockErrors = findOutOfStockErrors(priced.map(({ line }) => line));
  problems.push(...stockErrors);
  if (priced.length > 0 && request.shippingMethodId === undefined && terms.shipsHere)
    problems.push(shippingMethodRequiredDetail);
  const lines = priced.map(({ line, price }) => ({
    key: line.variant.id,
    quantity: line.quantity,
    ...price,
  }));
  const cartPrice = market
    ? undefinedIfOversized(() => priceCartAtCurrentTerms(lines, terms, request))
    : undefined;
  if (market && !cartPrice) problems.push(amountTooLargeError(request.field));
  if (cartPrice?.promoError) problems.push(toPromoCodeErrorDetail(cartPrice.promoError));
  const prices = new Map(
    priced.map(({ line, price: { unitPrice } }, index) => {
      const { totalPrice, applied } = cartPrice?.price.lines[index] ?? {};
      return [line, { unitPrice, totalPrice, applied }];
    }),
  );
  const outOfStockFields = new Set(stockErrors.map(({ field }) => field));
  return {
    currency: market?.currency,
    taxBps: market?.taxBps,
    lines: resolved.map(
      (line) => line && toEvaluatedLine(line, prices.get(line), outOfStockFields.has(line.field)),
    ),
    // A cart without priced lines costs no shipping either.
    totals: cartPrice && (priced.length > 0 ? toTotals(cartPrice.price) : zeroTotals),
    reduction: cartPrice?.reduction,
    problems,
  };
}

type Prices = Pick<EvaluatedCartLine, 'unitPrice' | 'totalPrice' | 'applied'>;

const toEvaluatedLine = (
  line: ResolvedCartLine,
  prices: Prices | undefined,
  isOutOfStock: boolean,
): EvaluatedCartLine => {
  const { name, variantName, sku } = snapshotVariant(line.product, line.variant);
  const { tracked, quantity } = line.variant.inventory;
  return { name, variantName, sku, available: tracked ? quantity : undefined, isOutOfStock, ...prices };
};

const zeroTotals: PriceTotals = { subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0 };

const toTotals = ({ lines: _lines, ...totals }: CartPrice): PriceTotals => totals;

/** Returns undefined instead of throwing AmountTooLargeError: a stored cart must stay readable at any price. */
function undefinedIfOversized<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AmountTooLargeError) return undefined;
    throw error;
  }
}

const amountTooLargeError = (field: string): ErrorDetail => ({
  field,
  error: 'AMOUNT_TOO_LARGE',
  message: 'The amount is too large.',
});
