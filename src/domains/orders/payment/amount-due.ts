/** What is still to be paid for an order, or, when it is negative, to be given back. Pure. */
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';

type Priced = Pick<Order, 'total' | 'captured' | 'refunded' | 'statuses' | 'paymentStatus'>;

/** Nothing is due of an order that is over, nor of one that staff have recorded as paid elsewhere. */
export function amountDue({ total, captured, refunded, statuses, paymentStatus }: Priced): number {
  const status = currentStatus(statuses);
  if (status === 'CANCELLED' || status === 'REFUNDED') return 0;
  const payment = currentStatus(paymentStatus);
  const isPaidElsewhere = captured === 0 && payment !== 'PENDING' && payment !== 'FAILED';
  return isPaidElsewhere ? 0 : total - captured + refunded;
}
