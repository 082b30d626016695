/** Refunds a payment that matches no pending plan in full, emits payment.returned, and cancels the recurring payment that would charge it again. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import { scheduleRefund } from '../../payments/schedule-submit-and-load-refunds.ts';
import type { AppliedAttemptTransition } from '../../payments/stored-payment-attempts.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import { queueProviderCancellation } from './queue-and-run-provider-cancellations.ts';

export async function refundUnmatchedPlanPayment(
  services: Services,
  tx: QueryHandle,
  { paymentId = '', amount = 0, recurring, ...event }: PaymentEvent,
  { attempt, reason = '' }: AppliedAttemptTransition,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string> {
  const { currency = attempt.currency } = event;
  services.log.error(
    { subscriptionId: attempt.subjectId, paymentId, amount, currency, reason },
    'payment matches no pending plan, refunding it',
  );
  await scheduleRefund(services, tx, { attempt, paymentId, amount, currency, counts: false, reason });
  if (recurring && recurring.id !== subscription?.recurringId)
    await queueProviderCancellation(services, tx, recurring.id);
  if (subscription) {
    const { id: subscriptionId, businessId } = subscription;
    await emitWebhookEvents(services, tx, businessId, [
      { type: 'payment.returned', data: { subscriptionId, businessId, amount, currency, reason } },
    ]);
  }
  return `${reason.toLowerCase()}, refunded`;
}
