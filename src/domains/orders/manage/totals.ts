/** Totals of a manual order: totals in the input must add up, omitted ones are computed. Pure. */
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { allocateByWeight, catchAmountTooLarge, type PriceTotals, sumAmounts } from '../../pricing/rules.ts';
import type { OrderLine } from '../model.ts';

export type InputPriceTotals = { [Key in keyof PriceTotals]?: number | undefined };

const mismatchError = (field: string, message: string): ErrorDetail => ({
  field,
  error: 'TOTAL_MISMATCH',
  message,
});

/** `current`: tax, shipping and discount to use when the input omits them. */
export function resolveOrderTotals(
  lines: readonly Pick<OrderLine, 'totalPrice'>[],
  input: InputPriceTotals,
  current: Pick<PriceTotals, 'tax' | 'shipping' | 'discount'> = { tax: 0, shipping: 0, discount: 0 },
): PriceTotals {
  return catchAmountTooLarge('total', () => {
    const subtotal = sumAmounts(...lines.map((line) => line.totalPrice));
    const tax = input.tax ?? current.tax;
    const shipping = input.shipping ?? current.shipping;
    const discount = input.discount ?? current.discount;
    const total = sumAmounts(subtotal, tax, shipping, -discount);
    const errors: ErrorDetail[] = [];
    if (input.subtotal !== undefined && input.subtotal !== subtotal)
      errors.push(mismatchError('subtotal', `The lines add up to ${subtotal}.`));
    if (discount > subtotal)
      errors.push(mismatchError('discount', `The discount exceeds the subtotal, ${subtotal}.`));
    if (input.total !== undefined && input.total !== total)
      errors.push(mismatchError('total', `Must be subtotal + tax + shipping - discount: ${total}.`));
    if (errors.length > 0) throw validationError(...errors);
    return { subtotal, tax, shipping, discount, total };
  });
}

/** Allocates discount and tax to the lines, in proportion to their price (tax: after discount). */
export function allocateDiscountAndTax<Line extends OrderLine>(
  lines: readonly Line[],
  { discount, tax }: Pick<PriceTotals, 'discount' | 'tax'>,
): Line[] {
  const keys = lines.map((line) => line.variantId);
  const totals = lines.map((line) => BigInt(line.totalPrice));
  const discounts = allocateByWeight(BigInt(discount), totals, keys);
  const taxes = allocateByWeight(
    BigInt(tax),
    totals.map((total, index) => total - (discounts[index] ?? 0n)),
    keys,
  );
  return lines.map((line, index) => ({
    ...line,
    discount: Number(discounts[index] ?? 0n),
    tax: Number(taxes[index] ?? 0n),
  }));
}
