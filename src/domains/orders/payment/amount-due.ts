/** Amount due of an order in minor units; negative when money is to be refunded. Pure. */
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';

type OrderAmounts = Pick<Order, 'total' | 'captured' | 'refunded' | 'statuses' | 'paymentStatus'>;

/** 0 for a cancelled or refunded order, and for one that staff recorded as paid outside the gateway. */
export function computeAmountDue({
  total,
  captured,
  refunded,
  statuses,
  paymentStatus,
}: OrderAmounts): number {
  const status = currentStatus(statuses);
  if (status === 'CANCELLED' || status === 'REFUNDED') return 0;
  const payment = currentStatus(paymentStatus);
  const isPaidExternally = captured === 0 && payment !== 'PENDING' && payment !== 'FAILED';
  return isPaidExternally ? 0 : total - captured + refunded;
}
