/** What a cart costs: exact, in minor units, without I/O. BigInt inside, safe integers outside. */
import { validationError } from '../../errors.ts';
import { type AppliedStep, breakDownLinePrice, type TaxRate } from './price-breakdown.ts';
import type { PriceRule } from './unit-price.ts';

export interface PriceLine {
  /** Tells lines apart when a cent has to go to one of two equal ones. */
  key: string;
  quantity: number;
  unitPrice: number;
  /** What a piece costs before the rule that makes it cost less; default: the same. */
  plainPrice?: number | undefined;
  rule?: PriceRule | undefined;
  /** What its category is taxed with, where that is not as everything else. */
  taxRate?: TaxRate | undefined;
}

/** What a promo code takes off; see promo.ts for whether it may. */
export type Reduction =
  | { type: 'PERCENTAGE'; bps: number }
  | { type: 'FIXED'; amount: number }
  | { type: 'FREE_SHIPPING' };

export interface ShippingRate {
  price: number;
  /** Free when subtotal minus discount reaches this. */
  freeAbove?: number | undefined;
}

export interface PriceRequest {
  lines: readonly PriceLine[];
  taxBps: number;
  shipping?: ShippingRate | undefined;
  reduction?: Reduction | undefined;
  /** Whose reduction it is. */
  promoCode?: string | undefined;
}

export interface PricedLine {
  unitPrice: number;
  totalPrice: number;
  /** This line's share of the discount. */
  discount: number;
  /** This line's share of the tax. */
  tax: number;
  applied: AppliedStep[];
}

export interface Totals {
  subtotal: number;
  discount: number;
  tax: number;
  shipping: number;
  total: number;
}

export interface CartPrice extends Totals {
  lines: PricedLine[];
}

/** An amount that no longer fits into the numbers of the wire. */
export class AmountTooLarge extends Error {
  override readonly name = 'AmountTooLarge';
}

/** Amounts beyond the numbers of the wire are the caller's fault, not ours. */
export function rejectOversizedAmount<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AmountTooLarge)) throw error;
    throw validationError({ field, error: 'AMOUNT_TOO_LARGE', message: error.message });
  }
}

export function computeCartPrice({ lines, taxBps, shipping, reduction, promoCode }: PriceRequest): CartPrice {
  const lineTotals = lines.map((line) => BigInt(line.unitPrice) * BigInt(line.quantity));
  const subtotal = sum(lineTotals);
  const discount = discountOf(subtotal, reduction);
  const net = subtotal - discount;
  const fixed = { discount, promoCode, shipping: shippingOf(net, shipping, reduction) };
  return computeTotals({ lines, lineTotals, taxBps, ...fixed });
}

/** Totals from a discount and a shipping price that are fixed already, as in a price lock. */
export function computeTotals({
  lines,
  lineTotals = lines.map((line) => BigInt(line.unitPrice) * BigInt(line.quantity)),
  discount,
  promoCode,
  taxBps,
  shipping,
}: {
  lines: readonly PriceLine[];
  lineTotals?: readonly bigint[];
  discount: bigint;
  promoCode?: string | undefined;
  taxBps: number;
  shipping: bigint;
}): CartPrice {
  const subtotal = sum(lineTotals);
  const net = subtotal - discount;
  const keys = lines.map((line) => line.key);
  const discounts = allocate(discount, lineTotals, keys);
  const nets = lineTotals.map((total, index) => total - (discounts[index] ?? 0n));
  const rates = lines.map((line) => line.taxRate ?? { taxBps });
  const taxes = taxesOf(nets, rates, keys);
  const tax = sum(taxes);
  return {
    lines: lines.map(({ unitPrice, plainPrice = unitPrice, quantity, rule }, index) => {
      const rate = rates[index] ?? { taxBps };
      const plainTotal = multiplyAmount(plainPrice, quantity);
      const amounts = {
        totalPrice: safe(lineTotals[index] ?? 0n),
        discount: safe(discounts[index] ?? 0n),
        tax: safe(taxes[index] ?? 0n),
      };
      const applied = breakDownLinePrice({ plainTotal, rule, promoCode, rate, ...amounts });
      return { unitPrice, ...amounts, applied };
    }),
    subtotal: safe(subtotal),
    discount: safe(discount),
    tax: safe(tax),
    shipping: safe(shipping),
    total: safe(net + tax + shipping),
  };
}

function discountOf(subtotal: bigint, reduction: Reduction | undefined): bigint {
  if (reduction?.type === 'PERCENTAGE') {
    return smaller(roundHalfUp(subtotal * BigInt(reduction.bps), 10_000n), subtotal);
  }
  return reduction?.type === 'FIXED' ? smaller(BigInt(reduction.amount), subtotal) : 0n;
}

function shippingOf(net: bigint, rate: ShippingRate | undefined, reduction: Reduction | undefined): bigint {
  if (!rate || reduction?.type === 'FREE_SHIPPING') return 0n;
  return rate.freeAbove !== undefined && net >= BigInt(rate.freeAbove) ? 0n : BigInt(rate.price);
}

/** Rounded once for all lines of one rate together, and shared out among them. */
function taxesOf(
  nets: readonly bigint[],
  rates: readonly TaxRate[],
  keys: readonly string[],
): readonly bigint[] {
  const taxes = nets.map(() => 0n);
  for (const bps of new Set(rates.map(({ taxBps }) => taxBps))) {
    const weights = nets.map((net, index) => (rates[index]?.taxBps === bps ? net : 0n));
    const shares = allocate(roundHalfUp(sum(weights) * BigInt(bps), 10_000n), weights, keys);
    for (const [index, share] of shares.entries()) taxes[index] = (taxes[index] ?? 0n) + share;
  }
  return taxes;
}

/**
 * Splits an amount in proportion to weights, by largest remainder: the parts add up, none is more than a unit away
 * from its exact share, and the order of the items does not matter.
 */
export function allocate(amount: bigint, weights: readonly bigint[], keys: readonly string[]): bigint[] {
  const whole = sum(weights);
  if (whole === 0n || amount === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / whole);
  const open = Number(amount - sum(parts));
  const ranked = weights
    .map((weight, index) => ({ index, weight, rest: (amount * weight) % whole, key: keys[index] ?? '' }))
    .sort(
      (a, b) =>
        compare(b.rest, a.rest) || compare(b.weight, a.weight) || compare(a.key, b.key) || a.index - b.index,
    );
  for (const { index } of ranked.slice(0, open)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

/** The part of `amount` that belongs to units `from` to `to` of `of` equal units; all parts add up to the amount. */
export const shareOfUnits = (amount: number, from: number, to: number, of: number): number =>
  safe((BigInt(amount) * BigInt(to)) / BigInt(of) - (BigInt(amount) * BigInt(from)) / BigInt(of));

/** Adds and multiplies amounts that come from outside. */
export const sumAmounts = (...amounts: readonly number[]): number => safe(sum(amounts.map(BigInt)));
export const multiplyAmount = (amount: number, quantity: number): number =>
  safe(BigInt(amount) * BigInt(quantity));

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** For values that are not negative. */
const roundHalfUp = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by);

function safe(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)) {
    throw new AmountTooLarge('The amount is too large.');
  }
  return Number(value);
}
