/** What became of the units of every line: shipped, on their way back, still to be shipped. Pure. */

import type { Order, OrderLine, ReturnLine } from '../model.ts';
import { orderTransitions } from '../status-transitions.ts';
import { type LineUnits, unitsOfLine } from './line-units.ts';

type Goods = Pick<Order, 'lines' | 'statuses' | 'fulfilments' | 'returns'>;

export interface LineProgress {
  /** Units that have left the shop. */
  shipped: number;
  /** Of these, units whose return was accepted. */
  returned: number;
  /** Units that may still be shipped. */
  toShip: number;
  /** Units that may be asked to be taken back. */
  returnable: number;
}

const untouched: LineProgress = { shipped: 0, returned: 0, toShip: 0, returnable: 0 };

const unitsIn = (parts: readonly { lines: readonly LineUnits[] }[], index: number): number =>
  parts.reduce((sum, { lines }) => sum + unitsOfLine(lines, index), 0);

/** Of a return the units that come back, as far as that is known: all that were asked for, then those that were accepted. */
export const returnedUnits = ({
  lines,
}: {
  lines: readonly ReturnLine[];
}): (LineUnits & Pick<ReturnLine, 'restock'>)[] =>
  lines.map(({ line, quantity, accepted, restock }) => ({ line, quantity: accepted ?? quantity, restock }));

/** Orders that were shipped before there were fulfilments say so by their status alone. */
const wasShippedWhole = ({ statuses, fulfilments }: Goods): boolean =>
  fulfilments === undefined && statuses.some(({ status }) => status === 'SHIPPED' || status === 'DELIVERED');

/** Units that were refunded, but for those that came back by a return, count as not shipped as long as there are such. */
function progressAt(order: Goods, line: OrderLine, index: number): LineProgress {
  const { quantity, refunded = 0 } = line;
  const { fulfilments = [] } = order;
  const returns = (order.returns ?? []).map((one) => ({ ...one, lines: returnedUnits(one) }));
  const shipped = wasShippedWhole(order) ? quantity : Math.min(quantity, unitsIn(fulfilments, index));
  const accepted = returns.filter(({ status }) => status === 'ACCEPTED');
  const claimed = unitsIn(
    returns.filter(({ status }) => status === 'REQUESTED' || status === 'ACCEPTED'),
    index,
  );
  const returnedForMoney = unitsIn(
    accepted.filter(({ refundedAt }) => refundedAt !== undefined),
    index,
  );
  const gone = Math.max(0, refunded - returnedForMoney);
  const unshipped = quantity - shipped;
  return {
    shipped,
    returned: unitsIn(accepted, index),
    toShip: Math.max(0, unshipped - gone),
    returnable: Math.max(0, shipped - claimed - Math.max(0, gone - unshipped)),
  };
}

export const computeLineProgress = (order: Goods): LineProgress[] =>
  order.lines.map((line, index) => progressAt(order, line, index));

/** The lines with what became of their units. */
export const withLineProgress = (order: Goods): (OrderLine & { progress: LineProgress })[] => {
  const progress = computeLineProgress(order);
  return order.lines.map((line, index) => ({ progress: progress[index] ?? untouched, ...line }));
};

/** All that is left to ship. */
export const unitsToShip = (order: Goods): LineUnits[] =>
  computeLineProgress(order).flatMap(({ toShip }, line) => (toShip > 0 ? [{ line, quantity: toShip }] : []));

const movesOnceShipped: typeof orderTransitions = {
  ...orderTransitions,
  PENDING: orderTransitions.PENDING.filter((status) => status !== 'CANCELLED'),
  PROCESSING: orderTransitions.PROCESSING.filter((status) => status !== 'CANCELLED'),
};

/** An order is cancelled as a whole: not once a part of it has left the shop. */
export const allowedOrderTransitions = ({
  fulfilments,
}: Pick<Order, 'fulfilments'>): typeof orderTransitions =>
  fulfilments?.length ? movesOnceShipped : orderTransitions;
