/** What may come back, and what becomes of the wish. A return is a refund with restock. Pure. */
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { isWithinTextLimit } from '../../shared/record-size.ts';
import { computeLineProgress, returnedUnits } from '../fulfilment/line-progress.ts';
import { type LineUnits, lineUnitErrors } from '../fulfilment/line-units.ts';
import type { Order, OrderReturn, ReturnLine } from '../model.ts';

/** Each is looked at by somebody. */
const maxReturns = 100;

/** What was asked for in all of them, so that there is room to decide each. */
const maxAskedBytes = 150_000;

const askedOf = ({ lines, reason }: Pick<OrderReturn, 'lines' | 'reason'>) => [
  lines.map(({ line, quantity }) => ({ line, quantity })),
  reason,
];

/** The units of a new return. `order` counts refunds under way as made. */
export function planReturn(order: Order, wanted: readonly LineUnits[], reason?: string): LineUnits[] {
  const faults = lineUnitErrors(wanted, returnableOf(order), 'returned');
  if (faults.length > 0) throw validationError(...faults);
  if ((order.returns?.length ?? 0) >= maxReturns)
    throw validationError({
      field: 'lines',
      error: 'TOO_BIG',
      message: `An order has at most ${maxReturns} returns.`,
    });
  const lines = wanted.map(({ line, quantity }) => ({ line, quantity }));
  if (!isWithinTextLimit([...(order.returns ?? []), { lines, reason }].map(askedOf), maxAskedBytes))
    throw validationError({
      field: 'lines',
      error: 'TOO_LONG',
      message: `All returns of an order may ask for lines with reasons of at most ${maxAskedBytes} bytes.`,
    });
  return lines;
}

/** Units that were refunded since they were asked for do not come back again. `order` counts refunds under way as made. */
export function assertUnitsReturnable(order: Order, asked: OrderReturn): void {
  const others = { ...order, returns: order.returns?.filter((one) => one.id !== asked.id) };
  const faults = lineUnitErrors(returnedUnits(asked), returnableOf(others), 'returned', 'return.lines');
  if (faults.length > 0) throw validationError(...faults);
}

const returnableOf = (order: Order): number[] =>
  computeLineProgress(order).map(({ returnable }) => returnable);

/** False when that was said before; what was decided otherwise stays. */
export function isNewReturnStatus({ status }: OrderReturn, wanted: OrderReturn['status']): boolean {
  if (status === wanted) return false;
  if (status === 'REQUESTED') return true;
  throw validationError({
    field: 'returnId',
    error: 'INVALID_TRANSITION',
    message: `${status} cannot become ${wanted}. Allowed: none, this status is final.`,
  });
}

export interface ReturnAcceptance {
  /** Of every line for which `lines` does not say. Default: yes. */
  restock?: boolean | undefined;
  /** Lines of which only some units are accepted, or for which `restock` is otherwise. */
  lines?: readonly NamedLine[] | undefined;
  /** Why the rest is refused. */
  refusal?: string | undefined;
}

interface NamedLine {
  line: number;
  quantity?: number | undefined;
  restock?: boolean | undefined;
}

/** Which of the units come back, and which of them go back to stock. */
export function planAcceptance({ lines }: OrderReturn, acceptance: ReturnAcceptance): ReturnLine[] {
  const { restock = true, lines: named = [], refusal } = acceptance;
  const faults = named.flatMap((one, index) => namedFaults(lines, named, one, index));
  if (faults.length > 0) throw validationError(...faults);
  const planned = lines.map(({ line, quantity }): ReturnLine => {
    const said = named.find((one) => one.line === line);
    const accepted = said?.quantity ?? quantity;
    return { line, quantity, accepted, restock: accepted > 0 ? (said?.restock ?? restock) : undefined };
  });
  const fault = partFault(planned, refusal);
  if (fault) throw validationError(fault);
  return planned;
}

function namedFaults(
  lines: readonly LineUnits[],
  named: readonly NamedLine[],
  { line, quantity = 0 }: NamedLine,
  index: number,
): ErrorDetail[] {
  const asked = lines.find((one) => one.line === line);
  if (!asked || named.findIndex((other) => other.line === line) !== index) {
    const message = 'Name each line of the return once.';
    return [{ field: `lines.${index}.line`, error: 'LINE_NOT_FOUND', message }];
  }
  if (quantity <= asked.quantity) return [];
  const message = `Only ${asked.quantity} of this line were asked to be returned.`;
  return [{ field: `lines.${index}.quantity`, error: 'TOO_BIG', message }];
}

/** Whoever gets less than they asked for is told why. */
function partFault(planned: readonly ReturnLine[], refusal: string | undefined): ErrorDetail | undefined {
  if (planned.every(({ accepted }) => accepted === 0))
    return { field: 'lines', error: 'TOO_SMALL', message: 'Nothing would be accepted: refuse the return.' };
  const isPart = planned.some(({ quantity, accepted }) => accepted !== quantity);
  if (isPart && refusal === undefined)
    return { field: 'refusal', error: 'REQUIRED', message: 'Say why the rest is refused.' };
  return !isPart && refusal !== undefined
    ? { field: 'refusal', error: 'INVALID_VALUE', message: 'Nothing is refused: all units are accepted.' }
    : undefined;
}

/** Who accepted other units than now hears that it is decided otherwise. */
export function assertSameAcceptance(asked: OrderReturn, planned: readonly ReturnLine[]): void {
  const isSo = returnedUnits(asked).every(({ quantity }, index) => quantity === planned[index]?.accepted);
  if (isSo) return;
  throw validationError({
    field: 'lines',
    error: 'INVALID_TRANSITION',
    message: 'This return was accepted already, for other units. That is final.',
  });
}

/** Returns whose money a refund was for know when it had gone, or that it had not after all. */
export const withReturnRefundedAt = (
  returns: OrderReturn[] | undefined,
  refundId: string,
  refundedAt: number | undefined,
): OrderReturn[] | undefined =>
  // The units go with the first of the refunds of an order that was paid in parts.
  returns?.map((one) => (one.refundIds?.[0] === refundId ? { ...one, refundedAt } : one));
