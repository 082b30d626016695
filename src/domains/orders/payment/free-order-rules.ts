/** Orders that need no payment because their total is 0. Pure. */
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import type { Order } from '../model.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionStatusIfAllowed,
} from '../status-transitions.ts';

/** An unpaid checkout whose total has become 0 counts as paid, like a checkout with a total of 0. Any other order is returned unchanged. */
export function markFreeOrderPaid(order: Order): Order {
  const isUnpaidCheckout = order.expiresAt !== undefined && order.captured === 0;
  const isUnpaid = ['PENDING', 'FAILED'].includes(currentStatus(order.paymentStatus));
  if (order.total > 0 || !isUnpaidCheckout || !isUnpaid || currentStatus(order.statuses) !== 'PENDING')
    return order;
  return {
    ...order,
    paymentMethod: 'FREE',
    expiresAt: undefined,
    statuses: transitionStatusIfAllowed(
      order.statuses,
      'PROCESSING',
      orderTransitions,
      buildSystemStatusHistoryEntry,
    ),
    paymentStatus: transitionStatusIfAllowed(
      order.paymentStatus,
      'PAID',
      paymentTransitions,
      buildSystemStatusHistoryEntry,
    ),
  };
}

/** Its PAID status records no payment: goods that staff add later are due. Only a checkout with a total of 0 begins as PAID. */
export const isFreeOrder = ({
  paymentMethod,
  paymentStatus,
}: Pick<Order, 'paymentMethod' | 'paymentStatus'>): boolean =>
  paymentMethod === 'FREE' || (paymentMethod !== undefined && paymentStatus[0]?.status === 'PAID');
