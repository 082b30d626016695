/** Rules for shipments: which units can be shipped, and the order status that results. Pure. */
import { validationError, validationErrorFrom } from '../../../errors.ts';
import type { BuildStatusHistoryEntry } from '../../shared/status-history.ts';
import type { Order, OrderFulfilment } from '../model.ts';
import {
  currentStatus,
  type OrderStatus,
  orderTransitions,
  transitionStatusIfAllowed,
} from '../status-transitions.ts';
import { computeLineProgress, listUnitsToShip } from './fulfilment-progress-by-line.ts';
import { findLineUnitErrors, type QuantityAtLineIndex } from './quantities-by-line-index.ts';

/** Upper limit per order; keeps the record and its list readable. */
const maxFulfilments = 200;

/** Units of a new shipment: the requested ones, by default all remaining. `order` must count pending refunds as refunded (`countPendingRefundsAsRefunded`). */
export function planFulfilmentUnits(
  order: Order,
  requested: readonly QuantityAtLineIndex[] | undefined,
): QuantityAtLineIndex[] {
  const status = currentStatus(order.statuses);
  const remaining = listUnitsToShip(order);
  if (status === 'CANCELLED' || status === 'REFUNDED')
    throw nothingToShipError(`An order in status ${status} cannot be shipped.`);
  if (!requested && remaining.length === 0)
    throw nothingToShipError('All units of this order are already shipped or refunded.');
  const units = requested ?? remaining;
  const errors = findLineUnitErrors(
    units,
    computeLineProgress(order).map(({ toShip }) => toShip),
    'shipped',
  );
  if (errors.length > 0) throw validationErrorFrom(errors);
  if ((order.fulfilments?.length ?? 0) >= maxFulfilments)
    throw nothingToShipError(`An order has at most ${maxFulfilments} shipments.`);
  return units.map(({ line, quantity }) => ({ line, quantity }));
}

const nothingToShipError = (message: string) => validationError('lines', 'NOTHING_TO_SHIP', message);

/** PROCESSING while units remain to ship, SHIPPED when none remain, DELIVERED when all shipments are delivered. */
export function deriveStatusFromFulfilments(order: Order, buildStatusEntry: BuildStatusHistoryEntry): Order {
  const { fulfilments = [] } = order;
  if (fulfilments.length === 0) return order;
  const statuses = transitionStatusIfAllowed(
    order.statuses,
    statusFromFulfilments(order, fulfilments),
    orderTransitions,
    buildStatusEntry,
  );
  return statuses.length === order.statuses.length ? order : { ...order, statuses };
}

function statusFromFulfilments(order: Order, fulfilments: readonly OrderFulfilment[]): OrderStatus {
  if (listUnitsToShip(order).length > 0) return 'PROCESSING';
  return fulfilments.every(({ status }) => status === 'DELIVERED') ? 'DELIVERED' : 'SHIPPED';
}

/** Shipment status that new entries of the order's status history imply for all units. */
export function deriveFulfilmentStatus(
  entries: readonly { status: OrderStatus }[],
): OrderFulfilment['status'] | undefined {
  const has = (status: OrderStatus) => entries.some((entry) => entry.status === status);
  if (has('DELIVERED')) return 'DELIVERED';
  return has('SHIPPED') ? 'SHIPPED' : undefined;
}

/** Applies SHIPPED or DELIVERED to the whole order: creates a shipment for the `remaining` units, and marks all as delivered if needed. */
export function shipOrDeliverWholeOrder(
  order: Order,
  remaining: readonly QuantityAtLineIndex[],
  status: OrderFulfilment['status'],
  { id, time }: { id: string; time: number },
): Order {
  const isDelivered = status === 'DELIVERED';
  const existing = (order.fulfilments ?? []).map((fulfilment) =>
    isDelivered ? markFulfilmentDelivered(fulfilment, time) : fulfilment,
  );
  const last: OrderFulfilment = { id, status: 'SHIPPED', lines: [...remaining], createdAt: time };
  if (remaining.length > 0)
    return { ...order, fulfilments: [...existing, isDelivered ? markFulfilmentDelivered(last, time) : last] };
  return existing.length > 0 ? { ...order, fulfilments: existing } : order;
}

export const markFulfilmentDelivered = (fulfilment: OrderFulfilment, time: number): OrderFulfilment =>
  fulfilment.status === 'DELIVERED' ? fulfilment : { ...fulfilment, status: 'DELIVERED', deliveredAt: time };

type FulfilmentChange = {
  [Field in 'status' | 'carrier' | 'trackingNumber' | 'trackingUrl']?: OrderFulfilment[Field] | undefined;
};

/** Undefined leaves a field unchanged; an empty string removes its value. */
export function updateFulfilmentFields(
  fulfilment: OrderFulfilment,
  change: FulfilmentChange,
  time: number,
): OrderFulfilment {
  const { status = fulfilment.status, carrier, trackingNumber, trackingUrl } = change;
  if (status === 'SHIPPED' && fulfilment.status === 'DELIVERED')
    throw validationError(
      'status',
      'INVALID_TRANSITION',
      'DELIVERED cannot become SHIPPED. Allowed: none, this status is final.',
    );
  const tracked: OrderFulfilment = {
    ...fulfilment,
    carrier: (carrier ?? fulfilment.carrier) || undefined,
    trackingNumber: (trackingNumber ?? fulfilment.trackingNumber) || undefined,
    trackingUrl: (trackingUrl ?? fulfilment.trackingUrl) || undefined,
  };
  return status === 'DELIVERED' ? markFulfilmentDelivered(tracked, time) : tracked;
}
