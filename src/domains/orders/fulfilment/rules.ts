/** What may be shipped, and how the status of an order follows from it. Pure. */
import { validationError } from '../../../errors.ts';
import type { StatusStamper } from '../../shared/status-history.ts';
import type { Fulfilment, Order } from '../model.ts';
import {
  currentStatus,
  type OrderStatus,
  orderTransitions,
  transitionIfAllowed,
} from '../status-transitions.ts';
import { computeLineProgress, unitsToShip } from './line-progress.ts';
import { type LineUnits, lineUnitErrors } from './line-units.ts';

/** Each is a row that people look through. */
const maxFulfilments = 200;

/** The units of a new fulfilment: those that were asked for, or all that are left. `order` counts refunds under way as made. */
export function planFulfilment(order: Order, wanted: readonly LineUnits[] | undefined): LineUnits[] {
  const status = currentStatus(order.statuses);
  const left = unitsToShip(order);
  if (status === 'CANCELLED' || status === 'REFUNDED')
    throw nothingToShip(`An order that is ${status} is not shipped.`);
  if (!wanted && left.length === 0) throw nothingToShip('Nothing is left to ship.');
  const units = wanted ?? left;
  const faults = lineUnitErrors(
    units,
    computeLineProgress(order).map(({ toShip }) => toShip),
    'shipped',
  );
  if (faults.length > 0) throw validationError(...faults);
  if ((order.fulfilments?.length ?? 0) >= maxFulfilments)
    throw nothingToShip(`An order is shipped in at most ${maxFulfilments} parts.`);
  return units.map(({ line, quantity }) => ({ line, quantity }));
}

const nothingToShip = (message: string) =>
  validationError({ field: 'lines', error: 'NOTHING_TO_SHIP', message });

/** Shipped when nothing is left to ship, delivered when all of it has arrived; a part on its way is worked on. */
export function withFulfilmentStatus(order: Order, stamp: StatusStamper): Order {
  const { fulfilments = [] } = order;
  if (fulfilments.length === 0) return order;
  const statuses = transitionIfAllowed(
    order.statuses,
    statusOfGoods(order, fulfilments),
    orderTransitions,
    stamp,
  );
  return statuses.length === order.statuses.length ? order : { ...order, statuses };
}

function statusOfGoods(order: Order, fulfilments: readonly Fulfilment[]): OrderStatus {
  if (unitsToShip(order).length > 0) return 'PROCESSING';
  return fulfilments.every(({ status }) => status === 'DELIVERED') ? 'DELIVERED' : 'SHIPPED';
}

/** What new entries of its history say about the goods of an order, as a whole. */
export function requestedFulfilmentStatus(
  entries: readonly { status: OrderStatus }[],
): Fulfilment['status'] | undefined {
  const has = (status: OrderStatus) => entries.some((entry) => entry.status === status);
  if (has('DELIVERED')) return 'DELIVERED';
  return has('SHIPPED') ? 'SHIPPED' : undefined;
}

/** Staff say of the whole order that it was shipped or has arrived: `rest` is what no fulfilment has yet. */
export function fulfilRemaining(
  order: Order,
  rest: readonly LineUnits[],
  status: Fulfilment['status'],
  { id, time }: { id: string; time: number },
): Order {
  const arrived = status === 'DELIVERED';
  const earlier = (order.fulfilments ?? []).map((one) => (arrived ? markDelivered(one, time) : one));
  const last: Fulfilment = { id, status: 'SHIPPED', lines: [...rest], createdAt: time };
  if (rest.length > 0)
    return { ...order, fulfilments: [...earlier, arrived ? markDelivered(last, time) : last] };
  return earlier.length > 0 ? { ...order, fulfilments: earlier } : order;
}

export const markDelivered = (fulfilment: Fulfilment, time: number): Fulfilment =>
  fulfilment.status === 'DELIVERED' ? fulfilment : { ...fulfilment, status: 'DELIVERED', deliveredAt: time };

type FulfilmentChange = {
  [Field in 'status' | 'carrier' | 'trackingNumber' | 'trackingUrl']?: Fulfilment[Field] | undefined;
};

/** What is not sent stays; an empty text takes away what was there. */
export function updateFulfilmentFields(
  fulfilment: Fulfilment,
  change: FulfilmentChange,
  time: number,
): Fulfilment {
  const { status = fulfilment.status, carrier, trackingNumber, trackingUrl } = change;
  if (status === 'SHIPPED' && fulfilment.status === 'DELIVERED')
    throw validationError({
      field: 'status',
      error: 'INVALID_TRANSITION',
      message: 'DELIVERED cannot become SHIPPED. Allowed: none, this status is final.',
    });
  const tracked: Fulfilment = {
    ...fulfilment,
    carrier: (carrier ?? fulfilment.carrier) || undefined,
    trackingNumber: (trackingNumber ?? fulfilment.trackingNumber) || undefined,
    trackingUrl: (trackingUrl ?? fulfilment.trackingUrl) || undefined,
  };
  return status === 'DELIVERED' ? markDelivered(tracked, time) : tracked;
}
