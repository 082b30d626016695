/** Totals that staff send must add up; what they leave out is reckoned. Pure. */
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { allocate, rejectOversizedAmount, sumAmounts, type Totals } from '../../pricing/rules.ts';
import type { OrderLine } from '../model.ts';

export type InputTotals = { [Key in keyof Totals]?: number | undefined };

const mismatch = (field: string, message: string): ErrorDetail => ({
  field,
  error: 'TOTAL_MISMATCH',
  message,
});

/** `current` fills in for the tax, shipping and discount that were not sent. */
export function resolveTotals(
  lines: readonly Pick<OrderLine, 'totalPrice'>[],
  sent: InputTotals,
  current: Pick<Totals, 'tax' | 'shipping' | 'discount'> = { tax: 0, shipping: 0, discount: 0 },
): Totals {
  return rejectOversizedAmount('total', () => {
    const subtotal = sumAmounts(...lines.map((line) => line.totalPrice));
    const tax = sent.tax ?? current.tax;
    const shipping = sent.shipping ?? current.shipping;
    const discount = sent.discount ?? current.discount;
    const total = sumAmounts(subtotal, tax, shipping, -discount);
    const faults: ErrorDetail[] = [];
    if (sent.subtotal !== undefined && sent.subtotal !== subtotal)
      faults.push(mismatch('subtotal', `The lines add up to ${subtotal}.`));
    if (discount > subtotal)
      faults.push(mismatch('discount', `The discount exceeds the subtotal, ${subtotal}.`));
    if (sent.total !== undefined && sent.total !== total)
      faults.push(mismatch('total', `Subtotal, tax, shipping and discount make ${total}.`));
    if (faults.length > 0) throw validationError(...faults);
    return { subtotal, tax, shipping, discount, total };
  });
}

/** Gives each line its share of discount and tax. */
export function withLineShares<Line extends OrderLine>(
  lines: readonly Line[],
  { discount, tax }: Pick<Totals, 'discount' | 'tax'>,
): Line[] {
  const keys = lines.map((line) => line.variantId);
  const totals = lines.map((line) => BigInt(line.totalPrice));
  const discounts = allocate(BigInt(discount), totals, keys);
  const taxes = allocate(
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
