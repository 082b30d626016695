/** Totals of manual and edited orders, and their allocation to the lines. Pure. */
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { smallestPayableStep } from '../../../lib/commerce/round-to-payable-amount.ts';
import {
  allocateByWeight,
  catchAmountTooLarge,
  computeTaxes,
  type PriceTotals,
  sumAmounts,
} from '../../pricing/compute-cart-price.ts';
import type { Order, OrderLine } from '../model.ts';

export type InputPriceTotals = { [Key in keyof PriceTotals]?: number | undefined };

const mismatchError = (field: string, message: string): ErrorDetail => ({
  field,
  error: 'TOTAL_MISMATCH',
  message,
});

/** Totals in the input must add up, omitted ones are computed. `current`: tax, shipping and discount to use when the input omits them. */
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
    if (errors.length > 0) throw validationErrorFrom(errors);
    return { subtotal, tax, shipping, discount, total };
  });
}

type OrderTotals = PriceTotals & Pick<Order, 'lines' | 'taxSetByStaff'>;

/**
 * Totals after an update. `lines` is `order.lines` itself when no line changed. Tax follows the rates of the lines when lines or the
 * discount change, unless staff set it; an update that contains neither these nor a tax leaves the shares of all lines as they are.
 */
export function computeUpdatedOrderTotals(
  order: Order,
  lines: OrderLine[],
  input: InputPriceTotals,
): OrderTotals {
  const discount = input.discount ?? order.discount;
  const isRepriced = lines !== order.lines || discount !== order.discount;
  const taxByRates = computeTaxByRates(lines, discount, order);
  const followsRates = taxByRates !== undefined && isRepriced && !isTaxSetByStaff(order);
  const totals = resolveOrderTotals(lines, input, followsRates ? { ...order, tax: taxByRates } : order);
  const isTaxDecided = taxByRates !== undefined && (input.tax !== undefined || followsRates);
  const taxSetByStaff = isTaxDecided ? totals.tax !== taxByRates : order.taxSetByStaff;
  if (!isRepriced && input.tax === undefined) return { ...totals, taxSetByStaff, lines };
  return { ...totals, taxSetByStaff, lines: allocateDiscountAndTax(lines, totals, order) };
}

/** Orders older than the field: staff set the tax if it differs from the rates. */
const isTaxSetByStaff = (order: Order): boolean =>
  order.taxSetByStaff ?? order.tax !== computeTaxByRates(order.lines, order.discount, order);

/** Currency and standard tax rate of an order. */
type TaxTerms = Pick<Order, 'currency' | 'taxBps'>;

/** Undefined without rates. 0 when the discount exceeds the subtotal, which `resolveOrderTotals` rejects. */
function computeTaxByRates(
  lines: readonly OrderLine[],
  discount: number,
  { currency, taxBps }: TaxTerms,
): number | undefined {
  if (taxBps === undefined) return undefined;
  const subtotal = lines.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
  if (discount > subtotal) return 0;
  const { nets, keys, step } = netPrices(lines, discount, currency);
  return catchAmountTooLarge('total', () =>
    sumAmounts(...computeTaxes(nets, ratesOf(lines, taxBps), keys, step).map(Number)),
  );
}

const ratesOf = (lines: readonly OrderLine[], taxBps: number) => lines.map((line) => line.taxBps ?? taxBps);

/** Prices of the lines after their shares of the discount. */
function netPrices(lines: readonly OrderLine[], discount: number, currency: string) {
  const step = BigInt(smallestPayableStep(currency));
  const keys = lines.map((line) => line.variantId);
  const totals = lines.map((line) => BigInt(line.totalPrice));
  const discounts = allocateByWeight(BigInt(discount), totals, keys, step);
  return { step, keys, discounts, nets: totals.map((total, index) => total - (discounts[index] ?? 0n)) };
}

/**
 * Allocates discount and tax to the lines: the discount in proportion to their price, the tax by their rates. Without `taxBps`, the rate
 * of lines that have none of their own, the order has no rates: then tax is in proportion to the price after discount.
 */
export function allocateDiscountAndTax<Line extends OrderLine>(
  lines: readonly Line[],
  { discount, tax }: Pick<PriceTotals, 'discount' | 'tax'>,
  terms: TaxTerms,
): Line[] {
  const { step, keys, discounts, nets } = netPrices(lines, discount, terms.currency);
  const rates = terms.taxBps === undefined ? undefined : ratesOf(lines, terms.taxBps);
  const taxesByRate = rates && computeTaxes(nets, rates, keys, step);
  const taxes =
    taxesByRate?.reduce((sum, share) => sum + share, 0n) === BigInt(tax)
      ? taxesByRate
      : allocateByWeight(BigInt(tax), taxWeights(lines, nets, rates), keys, step);
  return lines.map((line, index) => ({
    ...line,
    discount: Number(discounts[index] ?? 0n),
    tax: Number(taxes?.[index] ?? 0n),
  }));
}

/** Weights for tax that staff set: the tax by rate, or price or quantity where that is zero for all lines. */
function taxWeights(
  lines: readonly OrderLine[],
  nets: readonly bigint[],
  rates: readonly number[] | undefined,
): readonly bigint[] {
  const candidates = [
    rates ? nets.map((net, index) => net * BigInt(rates[index] ?? 0)) : [],
    nets,
    lines.map((line) => BigInt(line.totalPrice)),
    lines.map((line) => BigInt(line.quantity)),
  ];
  return candidates.find((weights) => weights.some((weight) => weight > 0n)) ?? nets;
}
