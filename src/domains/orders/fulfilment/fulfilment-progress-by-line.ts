/** Fulfilment progress per order line: units shipped, returned, still to ship and returnable. Pure. */
import type { Order, OrderLine, OrderReturn, ReturnedQuantityAtLineIndex } from '../model.ts';
import { type QuantityAtLineIndex, sumUnitsOfLine } from './quantities-by-line-index.ts';

type FulfilmentState = Pick<Order, 'lines' | 'statuses' | 'fulfilments' | 'returns'>;

export interface OrderLineProgress {
  /** Units in shipments. */
  shipped: number;
  /** Shipped units whose return was accepted. */
  returned: number;
  /** Units that can still be shipped. */
  toShip: number;
  /** Shipped units for which a return can be requested. */
  returnable: number;
}

const noProgress: OrderLineProgress = { shipped: 0, returned: 0, toShip: 0, returnable: 0 };

const unitsIn = (parts: readonly { lines: readonly QuantityAtLineIndex[] }[], index: number): number =>
  parts.reduce((sum, { lines }) => sum + sumUnitsOfLine(lines, index), 0);

/** Units of a return: the requested ones or, after acceptance, the accepted ones. */
export const listUnitsOfReturn = ({
  lines,
}: {
  lines: readonly ReturnedQuantityAtLineIndex[];
}): (QuantityAtLineIndex & Pick<ReturnedQuantityAtLineIndex, 'restock'>)[] =>
  lines.map(({ line, quantity, accepted, restock }) => ({ line, quantity: accepted ?? quantity, restock }));

/** Orders older than the fulfilments feature: shipped in full if the history contains SHIPPED or DELIVERED. */
const isShippedByStatus = ({ statuses, fulfilments }: FulfilmentState): boolean =>
  fulfilments === undefined && statuses.some(({ status }) => status === 'SHIPPED' || status === 'DELIVERED');

/** A return with only the lines whose units return to stock. */
const restockedLines = <
  Return extends { lines: (QuantityAtLineIndex & Pick<ReturnedQuantityAtLineIndex, 'restock'>)[] },
>(
  orderReturn: Return,
): Return => ({ ...orderReturn, lines: orderReturn.lines.filter(({ restock }) => restock) });

const hasRefund = ({ refundIds = [] }: OrderReturn): boolean => refundIds.length > 0;

/** Units of a line that were returned without a refund and not refunded since. */
export function countUnrefundedReturnedUnits(order: FulfilmentState, index: number): number {
  const returns = (order.returns ?? []).filter(
    (orderReturn) => orderReturn.status === 'ACCEPTED' && !hasRefund(orderReturn),
  );
  const returned = unitsIn(
    returns.map((orderReturn) => ({ lines: listUnitsOfReturn(orderReturn) })),
    index,
  );
  return Math.max(0, returned - (order.lines[index]?.refundedReturned ?? 0));
}

/**
 * Refunded units, except those of returns, are attributed to unshipped units first, then to shipped ones. Restocked units are no longer
 * in the order, even if their refund failed.
 */
function lineProgressAt(order: FulfilmentState, line: OrderLine, index: number): OrderLineProgress {
  const { quantity, refunded = 0, restocked = 0, refundedReturned = 0 } = line;
  const { fulfilments = [] } = order;
  const returns = (order.returns ?? []).map((orderReturn) => ({
    ...orderReturn,
    lines: listUnitsOfReturn(orderReturn),
  }));
  const shipped = isShippedByStatus(order) ? quantity : Math.min(quantity, unitsIn(fulfilments, index));
  const accepted = returns.filter(({ status }) => status === 'ACCEPTED');
  const claimed = unitsIn(
    returns.filter(({ status }) => status === 'REQUESTED' || status === 'ACCEPTED'),
    index,
  );
  const refundedReturns = accepted.filter(({ refundedAt }) => refundedAt !== undefined);
  // Refunds of these failed after the units were restocked; the units still count as refunded.
  const restockedOnly = accepted.filter(
    ({ refundedAt, restockedAt }) => refundedAt === undefined && restockedAt !== undefined,
  );
  const returnedAndRefunded =
    unitsIn(refundedReturns, index) + unitsIn(restockedOnly.map(restockedLines), index) + refundedReturned;
  const refundedWithoutReturn = Math.max(0, refunded - returnedAndRefunded);
  const restockedReturns = [
    ...refundedReturns,
    ...restockedOnly,
    ...accepted.filter((orderReturn) => !hasRefund(orderReturn) && orderReturn.refundedAt === undefined),
  ];
  const restockedWithoutReturn = restocked - unitsIn(restockedReturns.map(restockedLines), index);
  const unshipped = quantity - shipped;
  return {
    shipped,
    returned: unitsIn(accepted, index),
    toShip: Math.max(0, unshipped - Math.max(refundedWithoutReturn, restockedWithoutReturn)),
    returnable: Math.max(0, shipped - claimed - Math.max(0, refundedWithoutReturn - unshipped)),
  };
}

export const computeLineProgress = (order: FulfilmentState): OrderLineProgress[] =>
  order.lines.map((line, index) => lineProgressAt(order, line, index));

/** Lines with their fulfilment progress. */
export const listOrderLinesWithProgress = (
  order: FulfilmentState,
): (OrderLine & { progress: OrderLineProgress })[] => {
  const progress = computeLineProgress(order);
  return order.lines.map((line, index) => ({ progress: progress[index] ?? noProgress, ...line }));
};

/** Units that can still be shipped, for all lines that have any. */
export const listUnitsToShip = (order: FulfilmentState): QuantityAtLineIndex[] =>
  computeLineProgress(order).flatMap(({ toShip }, line) => (toShip > 0 ? [{ line, quantity: toShip }] : []));
