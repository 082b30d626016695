/** What a kept cart costs now, by the rules of all carts: what cannot be sold is named and left out, the rest is priced. Reads only. */
import type { Queries } from '../../db/handles.ts';
import { type ErrorDetail, notFoundError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { loadSellingTerms, type SellingTerms } from '../businesses/selling-terms.ts';
import { loadGroupsOfCustomer } from '../groups/load-memberships.ts';
import type { AppliedStep } from '../pricing/price-breakdown.ts';
import { promoDetail } from '../pricing/promo-code.ts';
import { AmountTooLarge, type CartPrice, type Totals } from '../pricing/rules.ts';
import { snapshotVariant } from '../pricing/variant-pricing.ts';
import type { Product } from '../products/model.ts';
import { loadProductsOfAnyStatus } from '../products/read/load-products.ts';
import type { ResolvedCartLine } from './model.ts';
import {
  type CartRequest,
  marketErrors,
  outOfStockErrors,
  priceCartLines,
  priceNotAvailableError,
  resolveCartLine,
  shippingErrors,
  shippingRequiredError,
} from './price-cart.ts';
import { lineGroupIds, priceLines } from './price-lines.ts';

export interface EvaluatedLine {
  name: string;
  variantName?: string | undefined;
  sku?: string | undefined;
  /** Pieces in stock, where that is tracked. */
  available?: number | undefined;
  isShort: boolean;
  /** Absent when it has no price in this market. */
  unitPrice?: number | undefined;
  /** Absent, too, when there is no number for the whole. */
  totalPrice?: number | undefined;
  /** What made it cost that. */
  applied?: readonly AppliedStep[] | undefined;
}

export interface CartEvaluation {
  currency?: string | undefined;
  taxBps?: number | undefined;
  /** In the order of the cart; undefined for what is no longer sold. */
  lines: readonly (EvaluatedLine | undefined)[];
  /** Of the lines that have a price; absent when there is no market, or no number for it. */
  totals?: Totals | undefined;
  /** All that stands in the way of checkout. */
  problems: readonly ErrorDetail[];
}

/** What the database says of a cart. */
export interface CartPricingData {
  terms: SellingTerms;
  products: ReadonlyMap<string, Product>;
  groups: ReadonlyMap<string, string>;
}

export async function evaluateCart(queries: Queries, request: CartRequest): Promise<CartEvaluation> {
  const terms = await loadSellingTerms(queries, request);
  const ids = request.lines.map((line) => line.productId);
  const products = await loadProductsOfAnyStatus(queries, request.businessId, ids);
  const groups = await loadGroupsOfCustomer(queries, request, pricingGroupIds(request, { terms, products }));
  return computeCartEvaluation(request, { terms, products, groups });
}

/** The customer groups that what is sold has prices for. */
export function pricingGroupIds(
  request: CartRequest,
  { terms: { market }, products }: Pick<CartPricingData, 'terms' | 'products'>,
): string[] {
  const sold = linesFound(request, products).flatMap((line) => ('error' in line ? [] : [line]));
  return market ? lineGroupIds(sold, market) : [];
}

const linesFound = (
  request: CartRequest,
  products: CartPricingData['products'],
): (ResolvedCartLine | ErrorDetail)[] =>
  request.lines.map((line, index) => {
    const field = `${request.field}.${index}`;
    const one = resolveCartLine(products, line, field);
    return 'error' in one ? one : { field, ...line, ...one };
  });

/** Pure, but for the time. */
export function computeCartEvaluation(
  request: CartRequest,
  { terms, products, groups }: CartPricingData,
): CartEvaluation {
  if (!terms.business) throw notFoundError('Business');
  const problems = [...marketErrors(terms, request), ...shippingErrors(terms, request)];
  const found = linesFound(request, products).map((line): ResolvedCartLine | undefined => {
    if (!('error' in line)) return line;
    problems.push(line);
    return undefined;
  });
  const { market } = terms;
  const sold = found.filter((line) => line !== undefined);
  const current = market ? priceLines(sold, { market, now: now(), groups }) : undefined;
  const priced = found.flatMap((line) => {
    const price = line && current?.get(line);
    if (line && market && !price) problems.push(priceNotAvailableError(line.field));
    return line && price ? [{ line, price }] : [];
  });
  const short = outOfStockErrors(priced.map(({ line }) => line));
  problems.push(...short);
  if (priced.length > 0 && request.shippingMethodId === undefined && terms.shipsHere)
    problems.push(shippingRequiredError);
  const lines = priced.map(({ line, price }) => ({
    key: line.variant.id,
    quantity: line.quantity,
    ...price,
  }));
  const fresh = market ? reckoned(() => priceCartLines(lines, terms, request)) : undefined;
  if (market && !fresh) problems.push(tooLarge(request.field));
  if (fresh?.fault) problems.push(promoDetail(fresh.fault));
  const prices = new Map(
    priced.map(({ line, price: { unitPrice } }, index) => {
      const { totalPrice, applied } = fresh?.price.lines[index] ?? {};
      return [line, { unitPrice, totalPrice, applied }];
    }),
  );
  const isShort = new Set(short.map(({ field }) => field));
  return {
    currency: market?.currency,
    taxBps: market?.taxBps,
    lines: found.map((line) => line && assessed(line, prices.get(line), isShort.has(line.field))),
    // Nothing is shipped for nothing.
    totals: fresh && (priced.length > 0 ? totalsOf(fresh.price) : nothing),
    problems,
  };
}

type Prices = Pick<EvaluatedLine, 'unitPrice' | 'totalPrice' | 'applied'>;

const assessed = (line: ResolvedCartLine, prices: Prices | undefined, isShort: boolean): EvaluatedLine => {
  const { name, variantName, sku } = snapshotVariant(line.product, line.variant);
  const { tracked, quantity } = line.variant.inventory;
  return { name, variantName, sku, available: tracked ? quantity : undefined, isShort, ...prices };
};

const nothing: Totals = { subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0 };

const totalsOf = ({ lines: _lines, ...totals }: CartPrice): Totals => totals;

/** Undefined when there is no number for it: a cart must be readable however dear it has become. */
function reckoned<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AmountTooLarge) return undefined;
    throw error;
  }
}

const tooLarge = (field: string): ErrorDetail => ({
  field,
  error: 'AMOUNT_TOO_LARGE',
  message: 'The amount is too large.',
});
