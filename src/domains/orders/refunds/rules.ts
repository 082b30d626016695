/** How much may go back, and for which units. Pure. */
import { type ErrorDetail, validationError } from '../../../errors.ts';
import type { Refund, RefundLine } from '../../payments/model.ts';
import { shareOfUnits } from '../../pricing/rules.ts';
import { lineUnitErrors } from '../fulfilment/line-units.ts';
import type { Order, OrderLine } from '../model.ts';

export interface RefundSpec {
  amount?: number | undefined;
  lines?: readonly RefundLine[] | undefined;
  restock?: boolean | undefined;
  /** How the caller names the amount and the lines. */
  named?: { amount: string; lines: string } | undefined;
}

const plainNames = { amount: 'amount', lines: 'lines' };

export interface RefundPlan {
  amount: number;
  lines: RefundLine[];
}

/** `refundable` is what was captured and is not on its way back already. */
export function planRefund(order: Order, wish: RefundSpec, refundable: number): RefundPlan {
  const named = wish.named ?? plainNames;
  if (wish.amount !== undefined && wish.restock && !wish.lines) throw linesRequired(named.lines);
  const lines = wish.lines ?? (wish.amount === undefined ? refundableLines(order) : []);
  const faults = lineUnitErrors(lines, order.lines.map(openUnits), 'refunded', named.lines);
  if (faults.length > 0) throw validationError(...faults);
  const amount = wish.amount ?? (wish.lines ? computeRefundValue(order, lines) : refundable);
  const fault = amountFault(amount, refundable, order);
  if (fault) throw validationError({ field: named.amount, ...fault });
  return {
    amount,
    lines: lines.map((line) => ({ ...line, variantId: order.lines[line.line]?.variantId })),
  };
}

const linesRequired = (field: string) =>
  validationError({
    field,
    error: 'LINES_REQUIRED',
    message: 'Say which units go back to stock: an amount alone does not tell.',
  });

function amountFault(
  amount: number,
  refundable: number,
  { captured }: Pick<Order, 'captured'>,
): Omit<ErrorDetail, 'field'> | undefined {
  if (refundable === 0) {
    return {
      error: 'NOTHING_TO_REFUND',
      message:
        captured === 0
          ? 'The payment provider has taken nothing for this order: what was paid elsewhere goes back there.'
          : 'Nothing is left of what the payment provider has taken for this order.',
    };
  }
  if (amount > refundable) {
    return { error: 'REFUND_TOO_LARGE', message: `At most ${refundable} can go back.` };
  }
  return amount < 1 ? { error: 'TOO_SMALL', message: 'Must be at least 1.' } : undefined;
}

/** Why a refund cannot be tried again, if it cannot: money that fits nothing always can. */
export function retryRefundError(order: Order, refund: Refund, refundable: number): ErrorDetail | undefined {
  const { status, counts, amount, lines } = refund;
  if (status !== 'FAILED')
    return { field: 'refundId', error: 'REFUND_NOT_FAILED', message: `This refund is ${status}.` };
  if (!counts) return undefined;
  if (amount > refundable)
    return { field: 'refundId', error: 'REFUND_TOO_LARGE', message: `At most ${refundable} can go back.` };
  const open = order.lines.every((line, index) => unitsOf(order, lines, index) <= openUnits(line));
  return open
    ? undefined
    : {
        field: 'refundId',
        error: 'REFUND_TOO_LARGE',
        message: 'Units of this refund were refunded meanwhile.',
      };
}

const openUnits = (line: OrderLine) => line.quantity - (line.refunded ?? 0);

export const refundableLines = (order: Order): RefundLine[] =>
  order.lines.flatMap((line, index) =>
    openUnits(line) > 0 ? [{ line: index, quantity: openUnits(line), variantId: line.variantId }] : [],
  );

/** What the units cost with their discount and tax; shipping goes back only by amount. */
export function computeRefundValue(order: Order, lines: readonly RefundLine[]): number {
  return lines.reduce((sum, { line, quantity }) => {
    const of = order.lines[line];
    if (!of) return sum;
    const paid = of.totalPrice - of.discount + of.tax;
    const from = of.refunded ?? 0;
    return sum + shareOfUnits(paid, from, Math.min(from + quantity, of.quantity), of.quantity);
  }, 0);
}

/** Marks units as refunded and, when they go back to stock, as restocked. */
export const markLinesRefunded = (
  order: Order,
  refunded: readonly RefundLine[],
  restock: boolean,
): OrderLine[] =>
  order.lines.map((line, index) => {
    const units = unitsOf(order, refunded, index);
    if (units === 0) return line;
    const back = restock ? refunded.filter((item) => item.restock !== false) : [];
    return {
      ...restockedLine(line, unitsOf(order, back, index)),
      refunded: Math.min(line.quantity, (line.refunded ?? 0) + units),
    };
  });

/** Units that come back for no money. */
export const markLinesRestocked = (order: Order, units: readonly RefundLine[]): OrderLine[] =>
  order.lines.map((line, index) => restockedLine(line, unitsOf(order, units, index)));

const restockedLine = (line: OrderLine, units: number): OrderLine =>
  units === 0 ? line : { ...line, restocked: Math.min(line.quantity, (line.restocked ?? 0) + units) };

/** The money of these units did not go back after all. */
export const unmarkLinesRefunded = (order: Order, refunded: readonly RefundLine[]): OrderLine[] =>
  order.lines.map((line, index) => {
    const units = unitsOf(order, refunded, index);
    return units === 0 ? line : { ...line, refunded: Math.max(0, (line.refunded ?? 0) - units) };
  });

const unitsOf = (order: Order, refunded: readonly RefundLine[], index: number): number =>
  refunded.reduce((sum, item) => (positionOf(order, item) === index ? sum + item.quantity : sum), 0);

/** A line is known by what it sells; its position only tells apart two lines of the same variant. */
function positionOf({ lines }: Order, { line, variantId }: RefundLine): number {
  return variantId === undefined || lines[line]?.variantId === variantId
    ? line
    : lines.findIndex((other) => other.variantId === variantId);
}
