/** Applies payment provider events to orders. Events may arrive twice, late and in any order; the resulting state is the same. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import { registerClosingOfPaymentAttemptsWithBusiness } from '../../payments/close-attempts-of-deleted-subjects.ts';
import { loadSubjectPaymentTotals } from '../../payments/load-and-split-payment-totals.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { registerPaymentSubjectHandler } from '../../payments/payment-subject-registry.ts';
import { recordExternalRefund, recordFailedExternalRefund } from '../../payments/record-external-refunds.ts';
import {
  type AppliedAttemptTransition,
  applyEventToPaymentAttempt,
} from '../../payments/stored-payment-attempts.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { queueOrderConfirmationMail } from '../mail/queue-order-mails.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import type { Order } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { applyRefundOutcome } from '../refunds/apply-refund-outcome.ts';
import { findOrderRefundRetryError } from '../refunds/refund-order.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionStatusIfAllowed,
} from '../status-transitions.ts';
import { computeOverpaidAmount, isCancelledOrRefundedOrder } from './amount-due.ts';
import { derivePaymentStatus } from './derive-payment-status.ts';
import { cancelUnpaidOrder, paymentWindowSeconds } from './expire-orders.ts';
import { isFreeOrder } from './free-order-rules.ts';
import {
  captureAndRefundPayment,
  refundForeignCurrencyPayment,
  refundPaymentInFull,
  refundUnexpectedPayment,
} from './refund-unexpected-payment.ts';
import { restoreLostPaymentAttempt } from './restore-lost-payment-attempt.ts';

/** Time limit for a payment in state PROCESSING before its order expires: 14 days. */
const processingSeconds = 14 * 86_400;

registerClosingOfPaymentAttemptsWithBusiness('order', 'orders');
registerPaymentSubjectHandler('order', {
  applyEvent: apply,
  applyProviderRefund: applyRefundOutcome,
  findRetryError: findOrderRefundRetryError,
});

async function apply(services: Services, tx: QueryHandle, event: PaymentEvent, id: string): Promise<string> {
  const order = await lockOrder(tx, { id }, { withStock: event.type === 'expired' });
  if (!order) return applyToDeletedOrder(services, tx, event, id);
  if (event.type === 'refunded')
    return applyExternalRefund(services, tx, order, await recordRefund(tx, order, event));
  if (event.type === 'refund')
    return event.refund?.status === 'failed'
      ? applyExternalRefund(services, tx, order, await recordFailedExternalRefund(tx, event))
      : 'ignored';
  if (event.type === 'disputed') return applyDispute(services, tx, event, order);
  const transition =
    (await applyEventToPaymentAttempt(tx, event)) ??
    ((await restoreLostPaymentAttempt(tx, order, event)) && (await applyEventToPaymentAttempt(tx, event)));
  if (!transition) {
    services.log.error({ event }, 'payment event ignored: its payment attempt does not exist');
    return 'unknown attempt';
  }
  const applied = await refundForeignCurrencyPayment(tx, order, transition);
  return effects[applied.effect](services, tx, order, applied, event);
}

/** The payment attempts of an order outlive it, such as when its business is deleted: a payment that still arrives is refunded. */
async function applyToDeletedOrder(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
  orderId: string,
): Promise<string> {
  if (event.type === 'refunded') await recordExternalRefund(tx, event);
  else if (event.type === 'refund') await recordFailedExternalRefund(tx, event);
  const transition = await applyEventToPaymentAttempt(tx, event);
  if (!transition) {
    services.log.error({ event }, 'payment event ignored: its order does not exist');
    return 'unknown order';
  }
  if (!['accept', 'late', 'return'].includes(transition.effect)) return 'ignored';
  return refundPaymentInFull(services, tx, orderId, transition, event);
}

async function recordRefund(tx: QueryHandle, order: Order, event: PaymentEvent) {
  const overpaid = computeOverpaidAmount(order, await loadSubjectPaymentTotals(tx, 'order', order.id));
  return recordExternalRefund(tx, event, overpaid);
}

type EffectHandler = (
  services: Services,
  tx: QueryHandle,
  order: Order,
  transition: AppliedAttemptTransition,
  event: PaymentEvent,
) => Promise<string>;

const effects: Readonly<Record<AppliedAttemptTransition['effect'], EffectHandler>> = {
  none: async (_services, _tx, _order, _moved, { type }) => (type === 'paid' ? 'repeated' : 'ignored'),
  close: async () => 'ignored',
  accept: (services, tx, order, transition, event) =>
    isCancelledOrRefundedOrder(order)
      ? effects.late(services, tx, order, transition, event)
      : acceptPayment(services, tx, order),
  return: (services, tx, order, transition, event) =>
    refundUnexpectedPayment(services, tx, order, transition, event),
  late: (services, tx, order, transition, event) =>
    currentStatus(order.statuses) === 'CANCELLED'
      ? captureAndRefundPayment(services, tx, order, transition)
      : refundUnexpectedPayment(services, tx, order, transition, event),
  async suspend(services, tx, order) {
    if (order.expiresAt === undefined) return 'processing';
    await saveOrder(services, tx, order, { ...order, expiresAt: now() + processingSeconds });
    return 'processing';
  },
  async fail(services, tx, order, { attempt }) {
    // A closed page cannot be retried: extend the expiry so that the customer can request another payment link.
    const expiresAt =
      attempt.state === 'CLOSED' && order.expiresAt !== undefined
        ? now() + paymentWindowSeconds
        : order.expiresAt;
    const isFirstFailure = order.captured === 0 && currentStatus(order.paymentStatus) === 'PENDING';
    if (!isFirstFailure && expiresAt === order.expiresAt) return 'ignored';
    const paymentStatus = isFirstFailure
      ? transitionStatusIfAllowed(
          order.paymentStatus,
          'FAILED',
          paymentTransitions,
          buildSystemStatusHistoryEntry,
        )
      : order.paymentStatus;
    await saveOrder(services, tx, order, { ...order, paymentStatus, expiresAt });
    return 'failed';
  },
  expire: async (services, tx, order) =>
    (await cancelUnpaidOrder(services, tx, order)) ? 'expired' : 'ignored',
};

async function acceptPayment(services: Services, tx: QueryHandle, order: Order): Promise<string> {
  const isPending = currentStatus(order.statuses) === 'PENDING';
  const paid: Order = {
    ...order,
    expiresAt: undefined,
    paymentStatus: transitionStatusIfAllowed(
      order.paymentStatus,
      'PAID',
      paymentTransitions,
      buildSystemStatusHistoryEntry,
    ),
    statuses: isPending
      ? transitionStatusIfAllowed(
          order.statuses,
          'PROCESSING',
          orderTransitions,
          buildSystemStatusHistoryEntry,
        )
      : order.statuses,
  };
  const saved = derivePaymentStatus(paid, await loadSubjectPaymentTotals(tx, 'order', order.id));
  await saveOrder(services, tx, order, saved);
  // A free order was confirmed before staff added goods to it.
  if (order.captured === 0 && !isFreeOrder(order)) await queueOrderConfirmationMail(services, tx, saved);
  return 'paid';
}

async function applyExternalRefund(
  services: Services,
  tx: QueryHandle,
  order: Order,
  attempt: PaymentAttempt | undefined,
): Promise<string> {
  if (attempt?.state !== 'PAID') return 'ignored';
  await saveOrder(
    services,
    tx,
    order,
    derivePaymentStatus(order, await loadSubjectPaymentTotals(tx, 'order', order.id)),
  );
  return 'refunded';
}

async function applyDispute(
  services: Services,
  tx: QueryHandle,
  { amount, currency }: PaymentEvent,
  order: Order,
): Promise<string> {
  if (order.disputedAt !== undefined) return 'ignored';
  await saveOrder(services, tx, order, { ...order, disputedAt: now() });
  const { id: orderId, businessId } = order;
  await emitWebhookEvents(services, tx, businessId, [
    { type: 'payment.disputed', data: { orderId, businessId, amount, currency } },
  ]);
  return 'disputed';
}
