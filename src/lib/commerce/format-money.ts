/** Money as people read it. */
import { LRUCache } from 'lru-cache';
import { currencyExponent } from './currency-exponents.ts';

/** Making one takes longer than using it many times; locales come from callers. */
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

/** `formatMoney(123456, 'USD')` is `$1,234.56`; exact, because the number never becomes a fraction. */
export function formatMoney(amount: number, currency: string, locale = 'en-US'): string {
  const digits = currencyExponent(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  const exact = `${amount < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral;
  return formatOf(locale, currency, digits).format(exact);
}
