/** What a kept cart costs now, by the rules of all carts: what cannot be sold is named and left out, the rest is priced. Reads only. */
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, notFound } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { type SellingTerms, sellingTerms } from '../businesses/selling-terms.ts';
import { groupsOf } from '../groups/groups-of.ts';
import type { Applied } from '../pricing/applied.ts';
import { snapshotOf } from '../pricing/catalogue.ts';
import { promoDetail } from '../pricing/promo.ts';
import { AmountTooLarge, type Price, type Totals } from '../pricing/rules.ts';
import { anyProducts } from '../products/load-products.ts';
import type { Product } from '../products/model.ts';
import {
  type CartRequest,
  findLine,
  freshPrice,
  marketFaults,
  notPriced,
  shippingFaults,
  shippingRequired,
  shortLines,
} from './cart.ts';
import { groupsInLines, linePrices } from './line-prices.ts';
import type { SoldLine } from './model.ts';

export interface AssessedLine {
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
  applied?: readonly Applied[] | undefined;
}

export interface Assessment {
  currency?: string | undefined;
  taxBps?: number | undefined;
  /** In the order of the cart; undefined for what is no longer sold. */
  lines: readonly (AssessedLine | undefined)[];
  /** Of the lines that have a price; absent when there is no market, or no number for it. */
  totals?: Totals | undefined;
  /** All that stands in the way of checkout. */
  problems: readonly ErrorDetail[];
}

/** What the database says of a cart. */
export interface CartFacts {
  terms: SellingTerms;
  products: ReadonlyMap<string, Product>;
  groups: ReadonlyMap<string, string>;
}

export async function assessCart(queries: Queries, request: CartRequest): Promise<Assessment> {
  const terms = await sellingTerms(queries, request);
  const ids = request.lines.map((line) => line.productId);
  const products = await anyProducts(queries, request.businessId, ids);
  const groups = await groupsOf(queries, request, groupsAsked(request, { terms, products }));
  return assessment(request, { terms, products, groups });
}

/** The customer groups that what is sold has prices for. */
export function groupsAsked(
  request: CartRequest,
  { terms: { market }, products }: Pick<CartFacts, 'terms' | 'products'>,
): string[] {
  const sold = linesFound(request, products).flatMap((line) => ('error' in line ? [] : [line]));
  return market ? groupsInLines(sold, market) : [];
}

const linesFound = (request: CartRequest, products: CartFacts['products']): (SoldLine | ErrorDetail)[] =>
  request.lines.map((line, index) => {
    const field = `${request.field}.${index}`;
    const one = findLine(products, line, field);
    return 'error' in one ? one : { field, ...line, ...one };
  });

/** Pure, but for the time. */
export function assessment(request: CartRequest, { terms, products, groups }: CartFacts): Assessment {
  if (!terms.business) throw notFound('Business');
  const problems = [...marketFaults(terms, request), ...shippingFaults(terms, request)];
  const found = linesFound(request, products).map((line): SoldLine | undefined => {
    if (!('error' in line)) return line;
    problems.push(line);
    return undefined;
  });
  const { market } = terms;
  const sold = found.filter((line) => line !== undefined);
  const current = market ? linePrices(sold, { market, now: now(), groups }) : undefined;
  const priced = found.flatMap((line) => {
    const price = line && current?.get(line);
    if (line && market && !price) problems.push(notPriced(line.field));
    return line && price ? [{ line, price }] : [];
  });
  const short = shortLines(priced.map(({ line }) => line));
  problems.push(...short);
  if (priced.length > 0 && request.shippingMethodId === undefined && terms.shipsHere)
    problems.push(shippingRequired);
  const lines = priced.map(({ line, price }) => ({
    key: line.variant.id,
    quantity: line.quantity,
    ...price,
  }));
  const fresh = market ? reckoned(() => freshPrice(lines, terms, request)) : undefined;
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

type Prices = Pick<AssessedLine, 'unitPrice' | 'totalPrice' | 'applied'>;

const assessed = (line: SoldLine, prices: Prices | undefined, isShort: boolean): AssessedLine => {
  const { name, variantName, sku } = snapshotOf(line.product, line.variant);
  const { tracked, quantity } = line.variant.inventory;
  return { name, variantName, sku, available: tracked ? quantity : undefined, isShort, ...prices };
};

const nothing: Totals = { subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0 };

const totalsOf = ({ lines: _lines, ...totals }: Price): Totals => totals;

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
