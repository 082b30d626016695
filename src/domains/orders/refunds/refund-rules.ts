/** Rules for refunds: the refundable amount and the refundable units of an order. Pure. */
import { type ErrorDetail, validationError, validationErrorFrom } from '../../../errors.ts';
import { smallestPayableStep } from '../../../lib/commerce/round-to-payable-amount.ts';
import type { Refund, RefundedQuantityAtLineIndex } from '../../payments/model.ts';
import { prorateToUnitRange } from '../../pricing/compute-cart-price.ts';
import { countUnrefundedReturnedUnits } from '../fulfilment/fulfilment-progress-by-line.ts';
import { findLineUnitErrors } from '../fulfilment/quantities-by-line-index.ts';
import type { Order, OrderLine } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';

export interface RequestedRefund {
  amount?: number | undefined;
  lines?: readonly RefundedQuantityAtLineIndex[] | undefined;
  restock?: boolean | undefined;
  /** Field paths of the amount and the lines in the request, for validation errors. Default: `amount` and `lines`. */
  named?: { amount: string; lines: string } | undefined;
}

const defaultFields = { amount: 'amount', lines: 'lines' };

export interface RefundPlan {
  amount: number;
  lines: RefundedQuantityAtLineIndex[];
}

/** `refundable`: captured amount minus refunded and pending amounts, in minor units. */
export function planRefund(order: Order, spec: RequestedRefund, refundable: number): RefundPlan {
  const fields = spec.named ?? defaultFields;
  if (spec.amount !== undefined && spec.restock && !spec.lines) throw linesRequiredError(fields.lines);
  const lines = spec.lines ?? (spec.amount === undefined ? listRefundableLines(order) : []);
  const unitErrors = findLineUnitErrors(lines, order.lines.map(refundableUnits), 'refunded', fields.lines);
  if (unitErrors.length > 0) throw validationErrorFrom(unitErrors);
  const amount = spec.amount ?? (spec.lines ? computeRefundValue(order, lines) : refundable);
  const amountError = validateAmount(amount, refundable, order);
  if (amountError) throw validationError(fields.amount, amountError.error, amountError.message);
  return { amount, lines: lines.map((line) => ({ ...line, variantId: order.lines[line.line]?.variantId })) };
}

const linesRequiredError = (field: string) =>
  validationError(
    field,
    'LINES_REQUIRED',
    'Name the units to restock: an amount alone does not identify them.',
  );

function validateAmount(
  amount: number,
  refundable: number,
  { captured }: Pick<Order, 'captured'>,
): Omit<ErrorDetail, 'field'> | undefined {
  if (refundable === 0) {
    return {
      error: 'NOTHING_TO_REFUND',
      message:
        captured === 0
          ? 'No payment was captured for this order. Refund a payment made outside the gateway where it was made.'
          : 'The captured amount of this order is already refunded or being refunded.',
    };
  }
  if (amount > refundable) {
    return { error: 'REFUND_TOO_LARGE', message: `At most ${refundable} can be refunded.` };
  }
  return amount < 1 ? { error: 'TOO_SMALL', message: 'Must be at least 1.' } : undefined;
}

/**
 * Error that prevents a retry because its units were refunded or removed from the order since, if any. `order` must count pending refunds
 * as refunded. The units of a cancelled order do not matter: only its money is left to refund.
 */
export function findNonRefundableUnitsError(
  order: Order,
  { counts, lines }: Refund,
): ErrorDetail | undefined {
  const areUnitsOpen =
    lines.every((item) => order.lines[findLineIndex(order, item)] !== undefined) &&
    order.lines.every((line, index) => unitsAtIndex(order, lines, index) <= refundableUnits(line));
  if (!counts || areUnitsOpen || currentStatus(order.statuses) === 'CANCELLED') return undefined;
  return {
    field: 'refundId',
    error: 'REFUND_TOO_LARGE',
    message: 'Units of this refund have been refunded or removed from the order since.',
  };
}

const refundableUnits = (line: OrderLine) => line.quantity - (line.refunded ?? 0);

export const listRefundableLines = (order: Order): RefundedQuantityAtLineIndex[] =>
  order.lines.flatMap((line, index) =>
    refundableUnits(line) > 0
      ? [{ line: index, quantity: refundableUnits(line), variantId: line.variantId }]
      : [],
  );

/** Price of the units including their share of discount and tax. Excludes shipping, which is refunded only by an explicit amount. */
export function computeRefundValue(order: Order, lines: readonly RefundedQuantityAtLineIndex[]): number {
  const step = smallestPayableStep(order.currency);
  return lines.reduce((sum, { line, quantity }) => {
    const orderLine = order.lines[line];
    if (!orderLine) return sum;
    const paid = orderLine.totalPrice - orderLine.discount + orderLine.tax;
    const from = orderLine.refunded ?? 0;
    const to = Math.min(from + quantity, orderLine.quantity);
    return sum + prorateToUnitRange(paid, from, to, orderLine.quantity, step);
  }, 0);
}

/** Part of a refund that is a credit: first the price of its units; an amount beyond that returns what is overpaid, the rest is goodwill. */
export function computeRefundCredit(order: Order, { amount, lines }: RefundPlan, overpaid: number): number {
  const beyondUnits = Math.max(0, amount - computeRefundValue(order, lines));
  return amount - Math.min(beyondUnits, overpaid);
}

/** Marks units as refunded and, with `restock`, as returned to stock. */
export const addRefundedUnits = (
  order: Order,
  refunded: readonly RefundedQuantityAtLineIndex[],
  restock: boolean,
): OrderLine[] =>
  order.lines.map((line, index) => {
    const units = unitsAtIndex(order, refunded, index);
    if (units === 0) return line;
    const restocked = restock ? refunded.filter((item) => item.restock !== false) : [];
    return {
      ...restockedLine(line, unitsAtIndex(order, restocked, index)),
      refunded: Math.min(line.quantity, (line.refunded ?? 0) + units),
      ...refundedReturnedUnits(order, line, refunded, index, 1),
    };
  });

/** Refund lines in which units that were returned without a refund are marked. The return has decided whether these are restocked. */
export const markReturnedUnits = (
  order: Order,
  lines: readonly RefundedQuantityAtLineIndex[],
): RefundedQuantityAtLineIndex[] =>
  lines.flatMap((item) => {
    const returned = Math.min(item.quantity, countUnrefundedReturnedUnits(order, item.line));
    if (returned === 0 || item.returned) return [item];
    const rest = { ...item, quantity: item.quantity - returned };
    const marked = { ...item, quantity: returned, restock: false, returned: true as const };
    return rest.quantity > 0 ? [marked, rest] : [marked];
  });

/** Marks units as returned to stock without a refund. */
export const addRestockedUnits = (order: Order, units: readonly RefundedQuantityAtLineIndex[]): OrderLine[] =>
  order.lines.map((line, index) => restockedLine(line, unitsAtIndex(order, units, index)));

const restockedLine = (line: OrderLine, units: number): OrderLine =>
  units === 0 ? line : { ...line, restocked: Math.min(line.quantity, (line.restocked ?? 0) + units) };

/** Reverts `addRefundedUnits` after a refund failed. */
export const revertRefundedUnits = (
  order: Order,
  refunded: readonly RefundedQuantityAtLineIndex[],
): OrderLine[] =>
  order.lines.map((line, index) => {
    const units = unitsAtIndex(order, refunded, index);
    if (units === 0) return line;
    return {
      ...line,
      refunded: Math.max(0, (line.refunded ?? 0) - units),
      ...refundedReturnedUnits(order, line, refunded, index, -1),
    };
  });

/** New `refundedReturned` of a line, if the refund has marked units of it. */
function refundedReturnedUnits(
  order: Order,
  { refundedReturned = 0 }: OrderLine,
  refunded: readonly RefundedQuantityAtLineIndex[],
  index: number,
  sign: 1 | -1,
): Pick<OrderLine, 'refundedReturned'> {
  const returned = unitsAtIndex(
    order,
    refunded.filter((item) => item.returned),
    index,
  );
  return returned === 0 ? {} : { refundedReturned: Math.max(0, refundedReturned + sign * returned) };
}

const unitsAtIndex = (
  order: Order,
  refunded: readonly RefundedQuantityAtLineIndex[],
  index: number,
): number =>
  refunded.reduce((sum, item) => (findLineIndex(order, item) === index ? sum + item.quantity : sum), 0);

/** Finds the line by variant id, because its index may have changed; the index only distinguishes lines of the same variant. */
function findLineIndex({ lines }: Order, { line, variantId }: RefundedQuantityAtLineIndex): number {
  return variantId === undefined || lines[line]?.variantId === variantId
    ? line
    : lines.findIndex((other) => other.variantId === variantId);
}
