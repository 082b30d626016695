/** Derives the statuses of an order from its captured, refunded and credited amounts. Pure. */
import type { SettledPaymentTotals } from '../../payments/load-and-split-payment-totals.ts';
import { appendStatusChanges, buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import type { Order } from '../model.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionStatusIfAllowed,
} from '../status-transitions.ts';

/**
 * A full refund also moves the order to REFUNDED, unless it costs nothing: then its overpayment was returned. A refund that failed after it
 * was counted reverts the payment status, and so does a payment after a full refund.
 */
export function derivePaymentStatus(
  order: Order,
  { captured, refunded, credited }: SettledPaymentTotals,
): Order {
  const updated = { ...order, captured, refunded, credited };
  if (captured === 0) return updated;
  const isWhole = refunded >= captured;
  const isPaidAgain = refunded > 0 && !isWhole && currentStatus(order.paymentStatus) === 'REFUNDED';
  if (refunded < order.refunded || isPaidAgain)
    return { ...updated, paymentStatus: revertPaymentStatus(order, refunded) };
  if (refunded === 0) return updated;
  return {
    ...updated,
    paymentStatus: transitionStatusIfAllowed(
      order.paymentStatus,
      isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
      paymentTransitions,
      buildSystemStatusHistoryEntry,
    ),
    statuses:
      isWhole && order.total > 0
        ? transitionStatusIfAllowed(
            order.statuses,
            'REFUNDED',
            orderTransitions,
            buildSystemStatusHistoryEntry,
          )
        : order.statuses,
  };
}

function revertPaymentStatus({ paymentStatus }: Order, refunded: number): Order['paymentStatus'] {
  const current = currentStatus(paymentStatus);
  if (current !== 'REFUNDED' && current !== 'PARTIALLY_REFUNDED') return paymentStatus;
  const status = refunded > 0 ? 'PARTIALLY_REFUNDED' : 'PAID';
  return appendStatusChanges(paymentStatus, [{ status }], buildSystemStatusHistoryEntry);
}
