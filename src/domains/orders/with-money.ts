/** The statuses of an order follow its money. Pure. */
import type { Money } from '../payments/money.ts';
import { appendStatuses, systemStamp } from '../shared/history.ts';
import type { Order } from './model.ts';
import { currentOf, moveIfAllowed, orderMoves, paymentMoves } from './transitions.ts';

/** An order whose whole price went back is refunded itself. A refund that failed after all takes the payment status back. */
export function withMoney(order: Order, { captured, refunded }: Pick<Money, 'captured' | 'refunded'>): Order {
  const paid = { ...order, captured, refunded };
  if (captured === 0) return paid;
  if (refunded < order.refunded) return { ...paid, paymentStatus: takenBack(order, refunded) };
  if (refunded === 0) return paid;
  const isWhole = refunded >= captured;
  return {
    ...paid,
    paymentStatus: moveIfAllowed(
      order.paymentStatus,
      isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
      paymentMoves,
      systemStamp,
    ),
    statuses: isWhole ? moveIfAllowed(order.statuses, 'REFUNDED', orderMoves, systemStamp) : order.statuses,
  };
}

function takenBack({ paymentStatus }: Order, refunded: number): Order['paymentStatus'] {
  const current = currentOf(paymentStatus);
  if (current !== 'REFUNDED' && current !== 'PARTIALLY_REFUNDED') return paymentStatus;
  const status = refunded > 0 ? 'PARTIALLY_REFUNDED' : 'PAID';
  return appendStatuses(paymentStatus, [{ status }], systemStamp);
}
