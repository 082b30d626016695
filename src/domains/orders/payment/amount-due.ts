/** Amount due of an order in minor units; negative when the customer has overpaid. Pure. */
import type { SubjectPaymentTotals } from '../../payments/load-and-split-payment-totals.ts';
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';
import { isFreeOrder } from './free-order-rules.ts';

type OrderAmounts = Pick<Order, 'total' | 'captured' | 'refunded' | 'credited' | 'returns'>;

/**
 * Never positive for a cancelled or refunded order; 0 for one that staff recorded as paid outside the gateway. An overpayment is never more
 * than the amount that the order still has, such as when staff lower the total after a refund.
 */
export function computeAmountDue(
  order: OrderAmounts & Pick<Order, 'statuses' | 'paymentStatus' | 'paymentMethod'>,
): number {
  const { captured, refunded } = order;
  const payment = currentStatus(order.paymentStatus);
  const isRecordedAsPaid = captured === 0 && payment !== 'PENDING' && payment !== 'FAILED';
  if (isRecordedAsPaid && !isFreeOrder(order)) return 0;
  const due = subtractCredits(order, computeRefundedCredit(order)) - (captured - refunded);
  return isCancelledOrRefundedOrder(order) ? Math.min(0, due) : due;
}

/** Cancelled or refunded: such an order accepts no payment. */
export const isCancelledOrRefundedOrder = ({ statuses }: Pick<Order, 'statuses'>): boolean =>
  currentStatus(statuses) === 'CANCELLED' || currentStatus(statuses) === 'REFUNDED';

const subtractCredits = (order: Pick<Order, 'total' | 'returns'>, credited: number): number =>
  Math.max(0, order.total - credited - sumReturnCredits(order));

/** Price of units that were returned before they were paid. */
const sumReturnCredits = ({ returns = [] }: Pick<Order, 'returns'>): number =>
  returns.reduce((sum, { credit = 0 }) => sum + credit, 0);

/** Records without `credited` are older than credits: what was captured above the total counts as the returned overpayment. */
export const computeRefundedCredit = ({ total, captured, refunded, credited }: OrderAmounts): number =>
  credited ?? refunded - Math.min(refunded, Math.max(0, captured - total));

/** Amount that the customer has overpaid once all pending refunds succeed. */
export const computeOverpaidAmount = (
  order: Pick<Order, 'total' | 'returns'>,
  { captured, refunded, pending, credited, pendingCredit }: SubjectPaymentTotals,
): number => Math.max(0, captured - refunded - pending - subtractCredits(order, credited + pendingCredit));
