/** Money as people read it. */
import { exponentOf } from './currencies.ts';

/** `formatMoney(123456, 'USD')` is `$1,234.56`; exact, because the number never becomes a fraction. */
export function formatMoney(amount: number, currency: string): string {
  const digits = exponentOf(currency);
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return format.format(`${amount < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral);
}
