/** Rounds amounts to those that payment providers accept: they do not accept every minor unit of ISO 4217. */
import { getCurrencyExponent } from './currency-exponents.ts';

/** Currencies that are paid in whole units only, although ISO 4217 gives them decimals. */
const wholeUnits: ReadonlySet<string> = new Set(['MGA']);

/** Payable amounts are multiples of this number of minor units: 1 for USD and JPY, 10 for KWD, 100 for MGA. */
export function smallestPayableStep(currency: string): number {
  const exponent = getCurrencyExponent(currency);
  return wholeUnits.has(currency.toUpperCase()) ? 10 ** exponent : 10 ** Math.max(0, exponent - 2);
}

/** Rounds an amount half up to a payable one; an amount above 0 never becomes 0. */
export function toPayableAmount(amount: number, currency: string): number {
  const step = smallestPayableStep(currency);
  if (amount % step === 0) return amount;
  return Math.max(step, Math.floor(amount / step + 0.5) * step);
}
