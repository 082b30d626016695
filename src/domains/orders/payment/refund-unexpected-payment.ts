/** Payments that do not pay what is due: wrong currency, wrong amount, second payment, or an order that has ended. They are refunded. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import { loadSubjectPaymentTotals } from '../../payments/load-and-split-payment-totals.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { scheduleRefund } from '../../payments/schedule-submit-and-load-refunds.ts';
import {
  type AppliedAttemptTransition,
  updatePaymentAttempt,
} from '../../payments/stored-payment-attempts.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import type { Order } from '../model.ts';
import { paymentTransitions, transitionStatusIfAllowed } from '../status-transitions.ts';
import { derivePaymentStatus } from './derive-payment-status.ts';

/** A payment in another currency than the order has now never counts: it is refunded like any unexpected payment. */
export async function refundForeignCurrencyPayment(
  tx: QueryHandle,
  order: Order,
  transition: AppliedAttemptTransition,
): Promise<AppliedAttemptTransition> {
  const isPayment = transition.effect === 'accept' || transition.effect === 'late';
  if (!isPayment || transition.attempt.currency === order.currency) return transition;
  const attempt: PaymentAttempt = { ...transition.attempt, state: 'RETURNED' };
  await updatePaymentAttempt(tx, attempt);
  return { attempt, state: attempt.state, effect: 'return', reason: 'Wrong currency' };
}

/** For a payment that arrives after cancellation: records it as captured, then schedules a full refund, so that both appear on the order. */
export async function captureAndRefundPayment(
  services: Services,
  tx: QueryHandle,
  order: Order,
  { attempt, reason = tooLate }: AppliedAttemptTransition,
): Promise<string> {
  await updatePaymentAttempt(tx, { ...attempt, state: 'PAID' });
  const paymentStatus = transitionStatusIfAllowed(
    order.paymentStatus,
    'PAID',
    paymentTransitions,
    buildSystemStatusHistoryEntry,
  );
  const money = await loadSubjectPaymentTotals(tx, 'order', order.id);
  await saveOrder(
    services,
    tx,
    order,
    derivePaymentStatus({ ...order, paymentStatus, expiresAt: undefined }, money),
  );
  const { paymentId = '', captured: amount } = attempt;
  await scheduleRefund(services, tx, { attempt, paymentId, amount, credit: 0, counts: true, reason });
  return 'too late, refunded';
}

/** Refunds a payment that matches no open amount (wrong amount, second payment, closed page) in full, and emits `payment.returned`. */
export async function refundUnexpectedPayment(
  services: Services,
  tx: QueryHandle,
  order: Order,
  transition: AppliedAttemptTransition,
  event: PaymentEvent,
): Promise<string> {
  const { id: orderId, businessId } = order;
  const outcome = await refundPaymentInFull(services, tx, orderId, transition, event);
  const { amount = 0, currency = transition.attempt.currency } = event;
  await emitWebhookEvents(services, tx, businessId, [
    {
      type: 'payment.returned',
      data: { orderId, businessId, amount, currency, reason: transition.reason ?? tooLate },
    },
  ]);
  return outcome;
}

/** Reason of a refund when the order has ended before its payment page was closed. */
const tooLate = 'Paid too late';

export async function refundPaymentInFull(
  services: Services,
  tx: QueryHandle,
  orderId: string,
  { attempt, effect, reason = tooLate }: AppliedAttemptTransition,
  { paymentId = '', amount = 0, currency = attempt.currency }: PaymentEvent,
): Promise<string> {
  services.log.error(
    { orderId, paymentId, amount, currency, reason },
    'unexpected payment: refunding it in full',
  );
  if (effect === 'accept') await updatePaymentAttempt(tx, { ...attempt, state: 'RETURNED' });
  await scheduleRefund(services, tx, { attempt, paymentId, amount, currency, counts: false, reason });
  return `${reason.toLowerCase()}, refunded`;
}
