/** What may come back, and what becomes of the wish. A return is a refund with restock. Pure. */
import { type ErrorDetail, invalid } from '../../errors.ts';
import { type Units, unitFaults } from './line-units.ts';
import type { Order, OrderReturn, ReturnLine } from './model.ts';
import { progressOf } from './progress.ts';

/** Each is looked at by somebody. */
const maxReturns = 100;

/** The units of a new return. `order` counts refunds under way as made. */
export function planReturn(order: Order, wanted: readonly Units[]): Units[] {
  const faults = unitFaults(wanted, returnableOf(order), 'returned');
  if (faults.length > 0) throw invalid(...faults);
  if ((order.returns?.length ?? 0) >= maxReturns)
    throw invalid({
      field: 'lines',
      error: 'TOO_BIG',
      message: `An order has at most ${maxReturns} returns.`,
    });
  return wanted.map(({ line, quantity }) => ({ line, quantity }));
}

/** Units that were refunded since they were asked for do not come back again. `order` counts refunds under way as made. */
export function expectReturnable(order: Order, { id, lines }: OrderReturn): void {
  const others = { ...order, returns: order.returns?.filter((one) => one.id !== id) };
  const faults = unitFaults(lines, returnableOf(others), 'returned', 'return.lines');
  if (faults.length > 0) throw invalid(...faults);
}

const returnableOf = (order: Order): number[] => progressOf(order).map(({ returnable }) => returnable);

/** False when that was said before; what was decided otherwise stays. */
export function isNewTo({ status }: OrderReturn, wanted: OrderReturn['status']): boolean {
  if (status === wanted) return false;
  if (status === 'REQUESTED') return true;
  throw invalid({
    field: 'returnId',
    error: 'INVALID_TRANSITION',
    message: `${status} cannot become ${wanted}. Allowed: none, this status is final.`,
  });
}

export interface Restocking {
  /** Of every line that `lines` does not name. Default: yes. */
  restock?: boolean | undefined;
  lines?: readonly { line: number; restock: boolean }[] | undefined;
}

/** Which of the units go back to stock. */
export function withRestocking({ lines }: OrderReturn, { restock = true, lines: named = [] }: Restocking) {
  const faults = named.flatMap(({ line }, index): ErrorDetail[] => {
    const isKnown = lines.some((one) => one.line === line);
    if (isKnown && named.findIndex((other) => other.line === line) === index) return [];
    const message = 'Name each line of the return once.';
    return [{ field: `lines.${index}.line`, error: 'LINE_NOT_FOUND', message }];
  });
  if (faults.length > 0) throw invalid(...faults);
  return lines.map(({ line, quantity }): ReturnLine & { restock: boolean } => ({
    line,
    quantity,
    restock: named.find((one) => one.line === line)?.restock ?? restock,
  }));
}

/** Returns whose money a refund was for know when it had gone, or that it had not after all. */
export const withReturnMoney = (
  returns: OrderReturn[] | undefined,
  refundId: string,
  refundedAt: number | undefined,
): OrderReturn[] | undefined =>
  // The units go with the first of the refunds of an order that was paid in parts.
  returns?.map((one) => (one.refundIds?.[0] === refundId ? { ...one, refundedAt } : one));
