/** Formatting of amounts in minor units for people, such as in mails. */
import { LRUCache } from 'lru-cache';
import { getCurrencyExponent } from './currency-exponents.ts';

/** PERF: creating an Intl.NumberFormat is expensive. Bounded, because locales come from clients. */
const formats = new LRUCache<string, Intl.NumberFormat>({ max: 200 });

function formatOf(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}

/** `formatMoney(123456, 'USD')` is `$1,234.56`. Exact: the amount is formatted as a decimal string, never as a float. */
export const formatMoney = (amount: number, currency: string, locale = 'en-US'): string =>
  formatOf(locale, currency, getCurrencyExponent(currency)).format(toDecimal(amount, currency));

/** `toDecimal(123456, 'USD')` is `1234.56`. */
export function toDecimal(amount: number, currency: string): Intl.StringNumericLiteral {
  const digits = getCurrencyExponent(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return `${amount < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral;
}
