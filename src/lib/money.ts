/** Money as people read it. */

/** `formatMoney(123456, 'USD')` is `$1,234.56`; exact, because the number never becomes a fraction. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return format.format(`${amount < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral);
}
