/** The statuses of an order follow its money. Pure. */
import type { SubjectTotals } from '../../payments/payment-totals.ts';
import { appendStatusChanges, stampAsSystem } from '../../shared/status-history.ts';
import type { Order } from '../model.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionIfAllowed,
} from '../status-transitions.ts';

/** An order whose whole price went back is refunded itself. A refund that failed after all takes the payment status back. */
export function derivePaymentStatus(
  order: Order,
  { captured, refunded }: Pick<SubjectTotals, 'captured' | 'refunded'>,
): Order {
  const paid = { ...order, captured, refunded };
  if (captured === 0) return paid;
  if (refunded < order.refunded) return { ...paid, paymentStatus: takenBack(order, refunded) };
  if (refunded === 0) return paid;
  const isWhole = refunded >= captured;
  return {
    ...paid,
    paymentStatus: transitionIfAllowed(
      order.paymentStatus,
      isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
      paymentTransitions,
      stampAsSystem,
    ),
    statuses: isWhole
      ? transitionIfAllowed(order.statuses, 'REFUNDED', orderTransitions, stampAsSystem)
      : order.statuses,
  };
}

function takenBack({ paymentStatus }: Order, refunded: number): Order['paymentStatus'] {
  const current = currentStatus(paymentStatus);
  if (current !== 'REFUNDED' && current !== 'PARTIALLY_REFUNDED') return paymentStatus;
  const status = refunded > 0 ? 'PARTIALLY_REFUNDED' : 'PAID';
  return appendStatusChanges(paymentStatus, [{ status }], stampAsSystem);
}
