/** Amounts as Stripe counts them: it goes its own way with a few currencies. */
import { currencyExponent } from '../../lib/commerce/currency-exponents.ts';
import { type PaymentLine, PaymentRejectedError } from '../../ports/payments.ts';

/** Decimals where Stripe and ISO 4217 disagree. */
const exceptions: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };
/** Of currencies with three decimals Stripe takes only amounts that end in a zero. */
const steps = 10;

const shiftOf = (currency: string): number =>
  (exceptions[currency.toUpperCase()] ?? currencyExponent(currency)) - currencyExponent(currency);

/** Throws PaymentRefused for amounts that Stripe cannot take. */
export function toStripeAmount(amount: number, currency: string): number {
  const shift = shiftOf(currency);
  const sent = shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift;
  const fits = Number.isSafeInteger(sent) && (currencyExponent(currency) < 3 || sent % steps === 0);
  if (!fits)
    throw new PaymentRejectedError(`Stripe does not take an amount of ${amount} minor units in ${currency}.`);
  return sent;
}

/** What Stripe says it took, in minor units of ISO 4217. */
export function fromStripeAmount(amount: number, currency: string): number {
  const shift = shiftOf(currency);
  return shift >= 0 ? Math.round(amount / 10 ** shift) : amount * 10 ** -shift;
}

/** Lines in amounts of Stripe. Where a single line does not fit, such as a tax of one fil, all become one. */
export function toStripeLines(lines: readonly PaymentLine[], currency: string): PaymentLine[] {
  try {
    return lines.map((line) => ({ ...line, amount: toStripeAmount(line.amount, currency) }));
  } catch (error) {
    if (!(error instanceof PaymentRejectedError) || lines.length === 1) throw error;
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    return [{ name: 'Your order', quantity: 1, amount: toStripeAmount(total, currency) }];
  }
}
