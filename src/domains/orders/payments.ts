/** What payment events do to orders. They may come twice, late, and in any order; the outcome is the same. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import { handlePayments, type PaymentHandler } from '../payments/receive-event.ts';
import { systemStamp } from '../shared/history.ts';
import { queueConfirmation } from './confirmation-mail.ts';
import { cancelUnpaid } from './expiry.ts';
import type { Order } from './model.ts';
import { scheduleRefund, withRefunded } from './refunds.ts';
import { lockOrder, saveOrder } from './store.ts';
import { currentOf, moveIfAllowed, orderMoves, paymentMoves } from './transitions.ts';

const orderPayments: PaymentHandler = {
  async apply(services, tx, event, orderId) {
    const order = await lockOrder(tx, { id: orderId }, { withStock: event.type === 'expired' });
    if (!order) {
      services.log.error({ event }, 'a payment event names an order that does not exist');
      return 'unknown order';
    }
    switch (event.type) {
      case 'paid':
        return paid(services, tx, event, order);
      case 'failed':
        return failed(services, tx, order);
      case 'expired':
        return (await cancelUnpaid(services, tx, order)) ? 'expired' : 'ignored';
      case 'refunded':
        return refunded(services, tx, event, order);
      default:
        return 'ignored';
    }
  },
};

handlePayments('order', orderPayments);

async function paid(services: Services, tx: Queries, event: PaymentEvent, order: Order): Promise<string> {
  const { paymentId, amount, currency } = event;
  if (paymentId === undefined || amount === undefined || currency === undefined) {
    services.log.error({ event }, 'a payment event does not say what was paid');
    return 'incomplete';
  }
  if (order.captured > 0 && order.paymentId === paymentId) return 'repeated';
  if (order.captured > 0) {
    await scheduleRefund(services, tx, order, { paymentId, amount, counts: false, reason: 'Paid twice' });
    return 'paid twice, refunded';
  }
  if (amount !== order.amountDue || currency !== order.currency) {
    services.log.error(
      { event, orderId: order.id, amountDue: order.amountDue },
      'a payment of a wrong amount',
    );
    await scheduleRefund(
      services,
      tx,
      { ...order, currency },
      {
        paymentId,
        amount,
        counts: false,
        reason: 'Wrong amount',
      },
    );
    return 'wrong amount, refunded';
  }
  const isLate = currentOf(order.statuses) === 'CANCELLED';
  const captured: Order = {
    ...order,
    captured: amount,
    paymentId,
    expiresAt: undefined,
    paymentStatus: moveIfAllowed(order.paymentStatus, 'PAID', paymentMoves, systemStamp),
    statuses:
      currentOf(order.statuses) === 'PENDING'
        ? moveIfAllowed(order.statuses, 'PROCESSING', orderMoves, systemStamp)
        : order.statuses,
  };
  await saveOrder(services, tx, order, withRefunded(captured, captured.refunded));
  if (isLate) {
    await scheduleRefund(services, tx, captured, {
      paymentId,
      amount,
      counts: true,
      reason: 'Paid too late',
    });
    return 'too late, refunded';
  }
  await queueConfirmation(services, tx, captured);
  return 'paid';
}

async function failed(services: Services, tx: Queries, order: Order): Promise<string> {
  if (order.captured > 0 || currentOf(order.paymentStatus) !== 'PENDING') return 'ignored';
  const paymentStatus = moveIfAllowed(order.paymentStatus, 'FAILED', paymentMoves, systemStamp);
  await saveOrder(services, tx, order, { ...order, paymentStatus });
  return 'failed';
}

/** Refunds made at the provider itself. The amount is all that went back by then, so the largest one counts. */
async function refunded(
  services: Services,
  tx: Queries,
  { paymentId, amount }: PaymentEvent,
  order: Order,
): Promise<string> {
  const isOther = order.paymentId !== undefined && paymentId !== order.paymentId;
  if (amount === undefined || isOther || amount <= order.refunded) return 'ignored';
  await saveOrder(services, tx, order, withRefunded(order, amount));
  return 'refunded';
}
