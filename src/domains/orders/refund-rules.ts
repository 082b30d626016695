/** How much may go back, and for which units. Pure. */
import { type ErrorDetail, invalid } from '../../errors.ts';
import { shareOfUnits } from '../pricing/rules.ts';
import type { Order, OrderLine } from './model.ts';

export interface RefundLine {
  /** Position in the order. */
  line: number;
  quantity: number;
}

export interface RefundWish {
  amount?: number | undefined;
  lines?: readonly RefundLine[] | undefined;
  restock?: boolean | undefined;
}

export interface RefundPlan {
  amount: number;
  lines: RefundLine[];
}

/** `refundable` is what was captured and is not on its way back already. */
export function planRefund(order: Order, wish: RefundWish, refundable: number): RefundPlan {
  const lines = wish.lines ?? (wish.amount === undefined || wish.restock ? openLines(order) : []);
  const faults = lines.flatMap((line, index) => lineFault(order, lines, line, index));
  if (faults.length > 0) throw invalid(...faults);
  const amount = wish.amount ?? (wish.lines ? valueOfUnits(order, lines) : refundable);
  const fault = amountFault(amount, refundable);
  if (fault) throw invalid({ field: 'amount', ...fault });
  return { amount, lines: [...lines] };
}

function amountFault(amount: number, refundable: number): Omit<ErrorDetail, 'field'> | undefined {
  if (refundable === 0) {
    return {
      error: 'NOTHING_TO_REFUND',
      message: 'Nothing is left of what the payment provider has taken for this order.',
    };
  }
  if (amount > refundable) {
    return { error: 'REFUND_TOO_LARGE', message: `At most ${refundable} can go back.` };
  }
  return amount < 1 ? { error: 'TOO_SMALL', message: 'Must be at least 1.' } : undefined;
}

const openUnits = (line: OrderLine) => line.quantity - (line.refunded ?? 0);

const openLines = (order: Order): RefundLine[] =>
  order.lines.flatMap((line, index) =>
    openUnits(line) > 0 ? [{ line: index, quantity: openUnits(line) }] : [],
  );

function lineFault(
  order: Order,
  all: readonly RefundLine[],
  { line, quantity }: RefundLine,
  index: number,
): ErrorDetail[] {
  const of = order.lines[line];
  if (!of || all.findIndex((other) => other.line === line) !== index)
    return [
      { field: `lines.${index}.line`, error: 'LINE_NOT_FOUND', message: 'Name each line of the order once.' },
    ];
  if (quantity <= openUnits(of)) return [];
  return [
    {
      field: `lines.${index}.quantity`,
      error: 'TOO_BIG',
      message: `Only ${openUnits(of)} of this line can be refunded.`,
    },
  ];
}

/** What the units cost with their discount and tax; shipping goes back only by amount. */
function valueOfUnits(order: Order, lines: readonly RefundLine[]): number {
  return lines.reduce((sum, { line, quantity }) => {
    const of = order.lines[line];
    if (!of) return sum;
    const paid = of.totalPrice - of.discount + of.tax;
    const from = of.refunded ?? 0;
    return sum + shareOfUnits(paid, from, Math.min(from + quantity, of.quantity), of.quantity);
  }, 0);
}

/** Marks units as refunded and, when they go back to stock, as restocked. */
export const withRefundedLines = (
  order: Order,
  refunded: readonly RefundLine[],
  restock: boolean,
): OrderLine[] =>
  order.lines.map((line, index) => {
    const units = refunded.reduce((sum, item) => (item.line === index ? sum + item.quantity : sum), 0);
    if (units === 0) return line;
    return {
      ...line,
      refunded: Math.min(line.quantity, (line.refunded ?? 0) + units),
      restocked: restock ? Math.min(line.quantity, (line.restocked ?? 0) + units) : line.restocked,
    };
  });
