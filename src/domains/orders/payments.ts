/** What payments do to orders. Their events may come twice, late, and in any order; the outcome is the same. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { now } from '../../lib/time.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import { type Moved, moveAttempt, saveAttempt } from '../payments/attempts.ts';
import { recordFailedElsewhere, recordRefunded } from '../payments/elsewhere.ts';
import type { Attempt } from '../payments/model.ts';
import { moneyOf } from '../payments/money.ts';
import { scheduleRefund } from '../payments/refunds.ts';
import { sellsBy } from '../payments/subjects.ts';
import { systemStamp } from '../shared/history.ts';
import { announce } from '../webhooks/announce.ts';
import { cancelUnpaid, paymentSeconds } from './expiry.ts';
import type { Order } from './model.ts';
import { queueConfirmation } from './order-mails.ts';
import { refundAnswered } from './refund-answers.ts';
import { lockOrder, saveOrder } from './store.ts';
import { currentOf, moveIfAllowed, orderMoves, paymentMoves } from './transitions.ts';
import { withMoney } from './with-money.ts';

/** How long money may be on its way before the order is given up. */
const processingSeconds = 14 * 86_400;

sellsBy('order', { apply, refundAnswered });

async function apply(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string> {
  const order = await lockOrder(tx, { id }, { withStock: event.type === 'expired' });
  if (!order) {
    services.log.error({ event }, 'a payment event names an order that does not exist');
    return 'unknown order';
  }
  if (event.type === 'refunded')
    return refundedElsewhere(services, tx, order, await recordRefunded(tx, event));
  if (event.type === 'refund')
    return event.refund?.status === 'failed'
      ? refundedElsewhere(services, tx, order, await recordFailedElsewhere(tx, event))
      : 'ignored';
  if (event.type === 'disputed') return disputed(services, tx, event, order);
  const moved = await moveAttempt(tx, event);
  if (!moved) {
    services.log.error({ event }, 'a payment event names a page that was never opened');
    return 'unknown attempt';
  }
  return effects[moved.effect](services, tx, order, moved, event);
}

type Applied = (
  services: Services,
  tx: Queries,
  order: Order,
  moved: Moved,
  event: PaymentEvent,
) => Promise<string>;

const effects: Readonly<Record<Moved['effect'], Applied>> = {
  none: async (_services, _tx, _order, _moved, { type }) => (type === 'paid' ? 'repeated' : 'ignored'),
  close: async () => 'ignored',
  accept: (services, tx, order) => accept(services, tx, order),
  return: (services, tx, order, moved, event) => giveMoneyBack(services, tx, order, moved, event),
  late: (services, tx, order, moved, event) =>
    currentOf(order.statuses) === 'CANCELLED'
      ? acceptAndRefund(services, tx, order, moved)
      : giveMoneyBack(services, tx, order, moved, event),
  async suspend(services, tx, order) {
    if (order.expiresAt === undefined) return 'processing';
    await saveOrder(services, tx, order, { ...order, expiresAt: now() + processingSeconds });
    return 'processing';
  },
  async fail(services, tx, order, { attempt }) {
    // A page that cannot be tried again leaves time to ask for another one.
    const expiresAt =
      attempt.state === 'CLOSED' && order.expiresAt !== undefined ? now() + paymentSeconds : order.expiresAt;
    const isNews = order.captured === 0 && currentOf(order.paymentStatus) === 'PENDING';
    if (!isNews && expiresAt === order.expiresAt) return 'ignored';
    const paymentStatus = isNews
      ? moveIfAllowed(order.paymentStatus, 'FAILED', paymentMoves, systemStamp)
      : order.paymentStatus;
    await saveOrder(services, tx, order, { ...order, paymentStatus, expiresAt });
    return 'failed';
  },
  expire: async (services, tx, order) => ((await cancelUnpaid(services, tx, order)) ? 'expired' : 'ignored'),
};

async function accept(services: Services, tx: Queries, order: Order): Promise<string> {
  const isPending = currentOf(order.statuses) === 'PENDING';
  const paid: Order = {
    ...order,
    expiresAt: undefined,
    paymentStatus: moveIfAllowed(order.paymentStatus, 'PAID', paymentMoves, systemStamp),
    statuses: isPending
      ? moveIfAllowed(order.statuses, 'PROCESSING', orderMoves, systemStamp)
      : order.statuses,
  };
  const saved = withMoney(paid, await moneyOf(tx, 'order', order.id));
  await saveOrder(services, tx, order, saved);
  if (order.captured === 0) await queueConfirmation(services, tx, saved);
  return 'paid';
}

/** The order is cancelled: its books show the money that came, and that it went back. */
async function acceptAndRefund(
  services: Services,
  tx: Queries,
  order: Order,
  { attempt, reason }: Moved,
): Promise<string> {
  await saveAttempt(tx, { ...attempt, state: 'PAID' });
  const paymentStatus = moveIfAllowed(order.paymentStatus, 'PAID', paymentMoves, systemStamp);
  const money = await moneyOf(tx, 'order', order.id);
  await saveOrder(services, tx, order, withMoney({ ...order, paymentStatus, expiresAt: undefined }, money));
  const { paymentId = '', captured: amount } = attempt;
  await scheduleRefund(services, tx, { attempt, paymentId, amount, counts: true, reason });
  return 'too late, refunded';
}

/** Money that fits nothing goes back in full, and is told. */
async function giveMoneyBack(
  services: Services,
  tx: Queries,
  order: Order,
  { attempt, reason = '' }: Moved,
  { paymentId = '', amount = 0, currency = attempt.currency }: PaymentEvent,
): Promise<string> {
  services.log.error({ orderId: order.id, paymentId, amount, currency, reason }, 'a payment fits nothing');
  await scheduleRefund(services, tx, { attempt, paymentId, amount, currency, counts: false, reason });
  const { id: orderId, businessId } = order;
  await announce(services, tx, businessId, [
    { type: 'payment.returned', data: { orderId, businessId, amount, currency, reason } },
  ]);
  return `${reason.toLowerCase()}, refunded`;
}

async function refundedElsewhere(
  services: Services,
  tx: Queries,
  order: Order,
  attempt: Attempt | undefined,
): Promise<string> {
  if (attempt?.state !== 'PAID') return 'ignored';
  await saveOrder(services, tx, order, withMoney(order, await moneyOf(tx, 'order', order.id)));
  return 'refunded';
}

async function disputed(
  services: Services,
  tx: Queries,
  { amount, currency }: PaymentEvent,
  order: Order,
): Promise<string> {
  if (order.disputedAt !== undefined) return 'ignored';
  await saveOrder(services, tx, order, { ...order, disputedAt: now() });
  const { id: orderId, businessId } = order;
  await announce(services, tx, businessId, [
    { type: 'payment.disputed', data: { orderId, businessId, amount, currency } },
  ]);
  return 'disputed';
}
