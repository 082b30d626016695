/** Rules for returns: which units can be returned, and how a request is decided. An accepted return is a refund with restock. Pure. */
import { type ErrorDetail, validationError, validationErrorFrom } from '../../../errors.ts';
import { isWithinCustomerTextLimit } from '../../shared/record-size-limits.ts';
import { computeLineProgress, listUnitsOfReturn } from '../fulfilment/fulfilment-progress-by-line.ts';
import { findLineUnitErrors, type QuantityAtLineIndex } from '../fulfilment/quantities-by-line-index.ts';
import type { Order, OrderReturn, ReturnLine } from '../model.ts';

/** Upper limit per order, because staff decide each return. */
const maxReturns = 100;

/** Total size of all requests of an order. Leaves space in the record for the decisions. */
const maxRequestBytes = 150_000;

const requestContent = ({ lines, reason }: Pick<OrderReturn, 'lines' | 'reason'>) => [
  lines.map(({ line, quantity }) => ({ line, quantity })),
  reason,
];

/** Units of a new return. `order` must count pending refunds as refunded (`countPendingRefundsAsRefunded`). */
export function planReturnUnits(
  order: Order,
  requested: readonly QuantityAtLineIndex[],
  reason?: string,
): QuantityAtLineIndex[] {
  const errors = findLineUnitErrors(requested, returnableUnits(order), 'returned');
  if (errors.length > 0) throw validationErrorFrom(errors);
  if ((order.returns?.length ?? 0) >= maxReturns)
    throw validationError('lines', 'TOO_BIG', `An order has at most ${maxReturns} returns.`);
  const lines = requested.map(({ line, quantity }) => ({ line, quantity }));
  if (
    !isWithinCustomerTextLimit(
      [...(order.returns ?? []), { lines, reason }].map(requestContent),
      maxRequestBytes,
    )
  )
    throw validationError(
      'lines',
      'TOO_LONG',
      `Lines and reasons of all returns of an order are limited to ${maxRequestBytes} bytes.`,
    );
  return lines;
}

/** Rejects units that were refunded since the return was requested. `order` must count pending refunds as refunded. */
export function assertUnitsReturnable(order: Order, orderReturn: OrderReturn): void {
  const others = { ...order, returns: order.returns?.filter(({ id }) => id !== orderReturn.id) };
  const errors = findLineUnitErrors(
    listUnitsOfReturn(orderReturn),
    returnableUnits(others),
    'returned',
    'return.lines',
  );
  if (errors.length > 0) throw validationErrorFrom(errors);
}

const returnableUnits = (order: Order): number[] =>
  computeLineProgress(order).map(({ returnable }) => returnable);

/** False when the return has that status already. Throws when it has another final status. */
export function needsReturnStatusChange({ status }: OrderReturn, requested: OrderReturn['status']): boolean {
  if (status === requested) return false;
  if (status === 'REQUESTED') return true;
  throw validationError(
    'returnId',
    'INVALID_TRANSITION',
    `${status} cannot become ${requested}. Allowed: none, this status is final.`,
  );
}

export interface ReturnAcceptance {
  /** For lines without their own `restock`. Default: true. */
  restock?: boolean | undefined;
  /** Lines that are accepted partially or with a different `restock`. */
  lines?: readonly LineDecision[] | undefined;
  /** Reason for refusing the remaining units. */
  refusal?: string | undefined;
}

interface LineDecision {
  line: number;
  quantity?: number | undefined;
  restock?: boolean | undefined;
}

/** Lines with the accepted units and their `restock`. */
export function planReturnAcceptance({ lines }: OrderReturn, acceptance: ReturnAcceptance): ReturnLine[] {
  const { restock = true, lines: decisions = [], refusal } = acceptance;
  const errors = decisions.flatMap((decision, index) => decisionErrors(lines, decisions, decision, index));
  if (errors.length > 0) throw validationErrorFrom(errors);
  const planned = lines.map(({ line, quantity }): ReturnLine => {
    const decision = decisions.find((candidate) => candidate.line === line);
    const accepted = decision?.quantity ?? quantity;
    return { line, quantity, accepted, restock: accepted > 0 ? (decision?.restock ?? restock) : undefined };
  });
  const refusalError = validateRefusal(planned, refusal);
  if (refusalError) throw validationErrorFrom([refusalError]);
  return planned;
}

function decisionErrors(
  lines: readonly QuantityAtLineIndex[],
  decisions: readonly LineDecision[],
  { line, quantity = 0 }: LineDecision,
  index: number,
): ErrorDetail[] {
  const requested = lines.find((candidate) => candidate.line === line);
  if (!requested || decisions.findIndex((other) => other.line === line) !== index) {
    const message = 'Must be the index of a line of the return, each at most once.';
    return [{ field: `lines.${index}.line`, error: 'LINE_NOT_FOUND', message }];
  }
  if (quantity <= requested.quantity) return [];
  const message = `Only ${requested.quantity} of this line were requested to be returned.`;
  return [{ field: `lines.${index}.quantity`, error: 'TOO_BIG', message }];
}

/** A partial acceptance needs a reason for the customer; a full one must not have any. */
function validateRefusal(
  planned: readonly ReturnLine[],
  refusal: string | undefined,
): ErrorDetail | undefined {
  if (planned.every(({ accepted }) => accepted === 0))
    return {
      field: 'lines',
      error: 'TOO_SMALL',
      message: 'No unit would be accepted: use refuseReturn instead.',
    };
  const isPartial = planned.some(({ quantity, accepted }) => accepted !== quantity);
  if (isPartial && refusal === undefined)
    return {
      field: 'refusal',
      error: 'REQUIRED',
      message: 'A reason for refusing the remaining units is required.',
    };
  return !isPartial && refusal !== undefined
    ? { field: 'refusal', error: 'INVALID_VALUE', message: 'Must be absent when all units are accepted.' }
    : undefined;
}

/** Rejects a repeated acceptance that names other units than the first one. */
export function assertSameReturnAcceptance(orderReturn: OrderReturn, planned: readonly ReturnLine[]): void {
  const isSame = listUnitsOfReturn(orderReturn).every(
    ({ quantity }, index) => quantity === planned[index]?.accepted,
  );
  if (isSame) return;
  throw validationError(
    'lines',
    'INVALID_TRANSITION',
    'This return was already accepted for other units; that decision is final.',
  );
}

/** Sets the outcome of a refund on its return; `refundedAt` is undefined after the refund failed. */
export const setReturnRefundedAt = (
  returns: OrderReturn[] | undefined,
  refundId: string,
  { refundedAt, isRestocked }: { refundedAt: number | undefined; isRestocked: boolean },
): OrderReturn[] | undefined =>
  // With several payments, only the first refund carries the units.
  returns?.map((orderReturn) =>
    orderReturn.refundIds?.[0] === refundId
      ? {
          ...orderReturn,
          refundedAt,
          restockedAt: orderReturn.restockedAt ?? (isRestocked ? refundedAt : undefined),
        }
      : orderReturn,
  );
