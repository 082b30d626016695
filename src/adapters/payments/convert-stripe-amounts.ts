/** Converts amounts between ISO 4217 minor units and Stripe's units, which differ for a few currencies. */
import { getCurrencyExponent } from '../../lib/commerce/currency-exponents.ts';
import { smallestPayableStep } from '../../lib/commerce/round-to-payable-amount.ts';
import { type PaymentLine, PaymentRejectedError } from '../../ports/payments.ts';

/** Decimals of the currencies for which Stripe differs from ISO 4217. */
const stripeDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

const decimalShiftOf = (currency: string): number =>
  (stripeDecimals[currency.toUpperCase()] ?? getCurrencyExponent(currency)) - getCurrencyExponent(currency);

/** Throws PaymentRejectedError for amounts that Stripe cannot represent. */
export function minorUnitsToStripe(amount: number, currency: string): number {
  const decimalShift = decimalShiftOf(currency);
  const stripeAmount = decimalShift >= 0 ? amount * 10 ** decimalShift : amount / 10 ** -decimalShift;
  const isRepresentable = Number.isSafeInteger(stripeAmount) && amount % smallestPayableStep(currency) === 0;
  if (!isRepresentable)
    throw new PaymentRejectedError(
      `Stripe does not support an amount of ${amount} minor units in ${currency}.`,
    );
  return stripeAmount;
}

/** Converts an amount of Stripe to ISO 4217 minor units. */
export function stripeToMinorUnits(amount: number, currency: string): number {
  const decimalShift = decimalShiftOf(currency);
  return decimalShift >= 0 ? Math.round(amount / 10 ** decimalShift) : amount * 10 ** -decimalShift;
}

/** Converts the amounts of lines. If one cannot be represented, such as a tax of one fils, all lines are merged into one. */
export function convertLinesToStripeAmounts(lines: readonly PaymentLine[], currency: string): PaymentLine[] {
  try {
    return lines.map((line) => ({ ...line, amount: minorUnitsToStripe(line.amount, currency) }));
  } catch (error) {
    if (!(error instanceof PaymentRejectedError) || lines.length === 1) throw error;
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    return [{ name: 'Your order', quantity: 1, amount: minorUnitsToStripe(total, currency) }];
  }
}
