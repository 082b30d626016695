/** What may be shipped, and how the status of an order follows from it. Pure. */
import { invalid } from '../../errors.ts';
import type { Stamp } from '../shared/history.ts';
import { type Units, unitFaults } from './line-units.ts';
import type { Fulfilment, Order } from './model.ts';
import { progressOf, unitsToShip } from './progress.ts';
import { currentOf, moveIfAllowed, type OrderStatus, orderMoves } from './transitions.ts';

/** Each is a row that people look through. */
const maxFulfilments = 200;

/** The units of a new fulfilment: those that were asked for, or all that are left. `order` counts refunds under way as made. */
export function planFulfilment(order: Order, wanted: readonly Units[] | undefined): Units[] {
  const status = currentOf(order.statuses);
  const left = unitsToShip(order);
  if (status === 'CANCELLED' || status === 'REFUNDED')
    throw nothingToShip(`An order that is ${status} is not shipped.`);
  if (!wanted && left.length === 0) throw nothingToShip('Nothing is left to ship.');
  const units = wanted ?? left;
  const faults = unitFaults(
    units,
    progressOf(order).map(({ toShip }) => toShip),
    'shipped',
  );
  if (faults.length > 0) throw invalid(...faults);
  if ((order.fulfilments?.length ?? 0) >= maxFulfilments)
    throw nothingToShip(`An order is shipped in at most ${maxFulfilments} parts.`);
  return units.map(({ line, quantity }) => ({ line, quantity }));
}

const nothingToShip = (message: string) => invalid({ field: 'lines', error: 'NOTHING_TO_SHIP', message });

/** Shipped when nothing is left to ship, delivered when all of it has arrived; a part on its way is worked on. */
export function withGoodsStatus(order: Order, stamp: Stamp): Order {
  const { fulfilments = [] } = order;
  if (fulfilments.length === 0) return order;
  const statuses = moveIfAllowed(order.statuses, statusOfGoods(order, fulfilments), orderMoves, stamp);
  return statuses.length === order.statuses.length ? order : { ...order, statuses };
}

function statusOfGoods(order: Order, fulfilments: readonly Fulfilment[]): OrderStatus {
  if (unitsToShip(order).length > 0) return 'PROCESSING';
  return fulfilments.every(({ status }) => status === 'DELIVERED') ? 'DELIVERED' : 'SHIPPED';
}

/** What new entries of its history say about the goods of an order, as a whole. */
export function shippingIn(entries: readonly { status: OrderStatus }[]): Fulfilment['status'] | undefined {
  const has = (status: OrderStatus) => entries.some((entry) => entry.status === status);
  if (has('DELIVERED')) return 'DELIVERED';
  return has('SHIPPED') ? 'SHIPPED' : undefined;
}

/** Staff say of the whole order that it was shipped or has arrived: `rest` is what no fulfilment has yet. */
export function withAllShipped(
  order: Order,
  rest: readonly Units[],
  status: Fulfilment['status'],
  { id, time }: { id: string; time: number },
): Order {
  const arrived = status === 'DELIVERED';
  const earlier = (order.fulfilments ?? []).map((one) => (arrived ? delivered(one, time) : one));
  const last: Fulfilment = { id, status: 'SHIPPED', lines: [...rest], createdAt: time };
  if (rest.length > 0) return { ...order, fulfilments: [...earlier, arrived ? delivered(last, time) : last] };
  return earlier.length > 0 ? { ...order, fulfilments: earlier } : order;
}

export const delivered = (fulfilment: Fulfilment, time: number): Fulfilment =>
  fulfilment.status === 'DELIVERED' ? fulfilment : { ...fulfilment, status: 'DELIVERED', deliveredAt: time };

type FulfilmentChange = {
  [Field in 'status' | 'carrier' | 'trackingNumber' | 'trackingUrl']?: Fulfilment[Field] | undefined;
};

/** What is not sent stays; an empty text takes away what was there. */
export function changedFulfilment(
  fulfilment: Fulfilment,
  change: FulfilmentChange,
  time: number,
): Fulfilment {
  const { status = fulfilment.status, carrier, trackingNumber, trackingUrl } = change;
  if (status === 'SHIPPED' && fulfilment.status === 'DELIVERED')
    throw invalid({
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
  return status === 'DELIVERED' ? delivered(tracked, time) : tracked;
}
