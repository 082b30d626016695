/** Price computation of a cart: exact, in minor units, pure. Computes with BigInt; inputs and results are safe integers. */
import { validationError } from '../../errors.ts';
import { smallestPayableStep, toPayableAmount } from '../../lib/commerce/round-to-payable-amount.ts';
import { breakDownLinePrice, type LinePriceStep, type TaxRate } from './line-price-breakdown.ts';
import type { PriceRule } from './unit-price.ts';

export interface LineWithUnitPrice {
  /** Tie-breaker when a remaining minor unit must be allocated to one of two equal lines. */
  key: string;
  quantity: number;
  unitPrice: number;
  /** Unit price before the price rule. Default: `unitPrice`. */
  listPrice?: number | undefined;
  rule?: PriceRule | undefined;
  /** Tax rate of the product category, where it differs from the standard rate. */
  taxRate?: TaxRate | undefined;
}

/** Reduction by a promo code. Eligibility is checked in promo-code-eligibility.ts. */
export type PromoReduction =
  | { type: 'PERCENTAGE'; bps: number }
  | { type: 'FIXED'; amount: number }
  | { type: 'FREE_SHIPPING' };

export interface ShippingRate {
  price: number;
  /** Shipping is free when subtotal minus discount is at least this, in minor units. */
  freeAbove?: number | undefined;
}

export interface CartPriceParams {
  /** Determines the rounding: discount, tax and shipping, and their shares of lines, are payable amounts. */
  currency: string;
  lines: readonly LineWithUnitPrice[];
  taxBps: number;
  shipping?: ShippingRate | undefined;
  reduction?: PromoReduction | undefined;
  /** Promo code of the reduction, for the price breakdown. */
  promoCode?: string | undefined;
}

export interface PricedLine {
  unitPrice: number;
  totalPrice: number;
  /** This line's share of the discount. */
  discount: number;
  /** This line's share of the tax. */
  tax: number;
  applied: LinePriceStep[];
}

export interface PriceTotals {
  subtotal: number;
  discount: number;
  tax: number;
  shipping: number;
  total: number;
}

export interface CartPrice extends PriceTotals {
  lines: PricedLine[];
}

/** An amount outside the safe integer range, which JSON numbers cannot represent exactly. */
export class AmountTooLargeError extends Error {
  override readonly name = 'AmountTooLargeError';
}

/** Converts AmountTooLargeError into a validation error of `field`. */
export function catchAmountTooLarge<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AmountTooLargeError)) throw error;
    throw validationError(field, 'AMOUNT_TOO_LARGE', error.message);
  }
}

export function computeCartPrice(request: CartPriceParams): CartPrice {
  const { currency, lines, taxBps, shipping, reduction, promoCode } = request;
  const lineTotals = lines.map((line) => BigInt(line.unitPrice) * BigInt(line.quantity));
  const subtotal = sum(lineTotals);
  const discount = computeDiscount(subtotal, reduction, currency);
  const net = subtotal - discount;
  const fixed = { discount, promoCode, shipping: computeShipping(net, shipping, reduction, currency) };
  return computePriceTotals({ currency, lines, lineTotals, taxBps, ...fixed });
}

/** Totals for a given discount and shipping price, as in a price lock. */
export function computePriceTotals({
  currency,
  lines,
  lineTotals = lines.map((line) => BigInt(line.unitPrice) * BigInt(line.quantity)),
  discount,
  promoCode,
  taxBps,
  shipping,
}: {
  currency: string;
  lines: readonly LineWithUnitPrice[];
  lineTotals?: readonly bigint[];
  discount: bigint;
  promoCode?: string | undefined;
  taxBps: number;
  shipping: bigint;
}): CartPrice {
  const subtotal = sum(lineTotals);
  const net = subtotal - discount;
  const keys = lines.map((line) => line.key);
  const step = BigInt(smallestPayableStep(currency));
  const discounts = allocateByWeight(discount, lineTotals, keys, step);
  const nets = lineTotals.map((total, index) => total - (discounts[index] ?? 0n));
  const rates = lines.map((line) => line.taxRate ?? { taxBps });
  const taxes = computeTaxes(
    nets,
    rates.map((rate) => rate.taxBps),
    keys,
    step,
  );
  const tax = sum(taxes);
  return {
    lines: lines.map(({ unitPrice, listPrice = unitPrice, quantity, rule }, index) => {
      const rate = rates[index] ?? { taxBps };
      const listTotal = multiplyAmount(listPrice, quantity);
      const amounts = {
        totalPrice: toSafeInteger(lineTotals[index] ?? 0n),
        discount: toSafeInteger(discounts[index] ?? 0n),
        tax: toSafeInteger(taxes[index] ?? 0n),
      };
      const applied = breakDownLinePrice({ listTotal, rule, promoCode, rate, ...amounts });
      return { unitPrice, ...amounts, applied };
    }),
    subtotal: toSafeInteger(subtotal),
    discount: toSafeInteger(discount),
    tax: toSafeInteger(tax),
    shipping: toSafeInteger(shipping),
    total: toSafeInteger(net + tax + shipping),
  };
}

function computeDiscount(subtotal: bigint, reduction: PromoReduction | undefined, currency: string): bigint {
  if (reduction?.type === 'PERCENTAGE') {
    const step = BigInt(smallestPayableStep(currency));
    return min(roundHalfUp(subtotal * BigInt(reduction.bps), 10_000n, step), subtotal);
  }
  return reduction?.type === 'FIXED'
    ? min(BigInt(toPayableAmount(reduction.amount, currency)), subtotal)
    : 0n;
}

/** Price of shipping for an amount of subtotal minus discount. */
export function computeShipping(
  net: bigint,
  rate: ShippingRate | undefined,
  reduction: PromoReduction | undefined,
  currency: string,
): bigint {
  if (!rate || reduction?.type === 'FREE_SHIPPING') return 0n;
  return rate.freeAbove !== undefined && net >= BigInt(rate.freeAbove)
    ? 0n
    : BigInt(toPayableAmount(rate.price, currency));
}

/** Tax is rounded once per tax rate on the sum of its lines, then allocated to the lines. `rates`: basis points by line. */
export function computeTaxes(
  nets: readonly bigint[],
  rates: readonly number[],
  keys: readonly string[],
  step: bigint,
): readonly bigint[] {
  const taxes = nets.map(() => 0n);
  for (const bps of new Set(rates)) {
    const weights = nets.map((net, index) => (rates[index] === bps ? net : 0n));
    const shares = allocateByWeight(
      roundHalfUp(sum(weights) * BigInt(bps), 10_000n, step),
      weights,
      keys,
      step,
    );
    for (const [index, share] of shares.entries()) taxes[index] = (taxes[index] ?? 0n) + share;
  }
  return taxes;
}

/**
 * Splits an amount in proportion to weights by the largest remainder method: the parts add up to the amount, each is within one unit
 * of its exact share, and the result does not depend on the order of the items. The unit is `step`, if amount and weights are multiples
 * of it, otherwise 1.
 */
export function allocateByWeight(
  amount: bigint,
  weights: readonly bigint[],
  keys: readonly string[],
  step = 1n,
): bigint[] {
  if (step > 1n && [amount, ...weights].every((value) => value % step === 0n))
    return allocateByWeight(amount / step, weights, keys).map((part) => part * step);
  const totalWeight = sum(weights);
  if (totalWeight === 0n || amount === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / totalWeight);
  const unallocated = Number(amount - sum(parts));
  const ranked = weights
    .map((weight, index) => ({
      index,
      weight,
      remainder: (amount * weight) % totalWeight,
      key: keys[index] ?? '',
    }))
    .sort(
      (a, b) =>
        compare(b.remainder, a.remainder) ||
        compare(b.weight, a.weight) ||
        compare(a.key, b.key) ||
        a.index - b.index,
    );
  for (const { index } of ranked.slice(0, unallocated)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

/**
 * Share of `amount` for the units `from` (inclusive) to `to` (exclusive) out of `of` equal units, in multiples of `step` except for the
 * last unit. Adjacent shares add up to the amount.
 */
export const prorateToUnitRange = (amount: number, from: number, to: number, of: number, step = 1): number =>
  toSafeInteger(shareUpTo(amount, to, of, step) - shareUpTo(amount, from, of, step));

const shareUpTo = (amount: number, units: number, of: number, step: number): bigint =>
  units === of
    ? BigInt(amount)
    : ((BigInt(amount) * BigInt(units)) / (BigInt(of) * BigInt(step))) * BigInt(step);

/** Adds and multiplies amounts; throws AmountTooLargeError outside the safe integer range. */
export const sumAmounts = (...amounts: readonly number[]): number => toSafeInteger(sum(amounts.map(BigInt)));
export const multiplyAmount = (amount: number, quantity: number): number =>
  toSafeInteger(BigInt(amount) * BigInt(quantity));

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** `value / by`, rounded to a multiple of `step`. Requires non-negative values. */
const roundHalfUp = (value: bigint, by: bigint, step: bigint): bigint =>
  ((2n * value + by * step) / (2n * by * step)) * step;

function toSafeInteger(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)) {
    throw new AmountTooLargeError('The amount is too large.');
  }
  return Number(value);
}
