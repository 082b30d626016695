/** Invoices of renewals: every paid invoice becomes a payment attempt of its own, with the plan and price of the first attempt. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { AppError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent, ProviderSubscription } from '../../../ports/payments.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import {
  applyEventToPaymentAttempt,
  createNextPaymentAttempt,
  findPaymentAttemptByReference,
  lockPaymentAttemptByInvoice,
  updatePaymentAttempt,
} from '../../payments/stored-payment-attempts.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import { applyRenewalEvent } from './apply-renewal-event.ts';
import { refundUnmatchedPlanPayment } from './refund-unmatched-payment.ts';

type Invoice = NonNullable<ProviderSubscription['bill']>;

/** Applies a recurring event. Undefined for other events and for the first invoice, which is paid on the payment page. */
export async function applyRecurringPaymentEvent(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string | undefined> {
  const { recurring, type } = event;
  const { bill, status, cancelAtPeriodEnd } = recurring ?? {};
  if (!recurring || bill?.isFirst) return undefined;
  if (type === 'paid' && bill) return applyPaidInvoice(services, tx, event, bill, subscription);
  if (subscription?.recurringId !== recurring.id) return 'ignored';
  if (type === 'failed' && bill) {
    const { effects } = await applyRenewalEvent(services, tx, subscription, { ...bill, type });
    return effects.length > 0 ? 'past due' : 'ignored';
  }
  await applyRenewalEvent(services, tx, subscription, { type: 'status', status, cancelAtPeriodEnd });
  return status ?? 'updated';
}

async function applyPaidInvoice(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
  invoice: Invoice,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string> {
  const firstAttempt =
    event.reference === undefined ? undefined : await findPaymentAttemptByReference(tx, event.reference);
  if (!firstAttempt) {
    services.log.error({ event }, 'invoice references an unknown payment attempt');
    return 'unknown attempt';
  }
  // A renewal arrived before the initial payment was recorded: answer 503 so that the provider retries.
  if (firstAttempt.state === 'NEW' || firstAttempt.state === 'OPEN' || firstAttempt.state === 'PROCESSING')
    throw new AppError('UNAVAILABLE', 'The initial payment is not recorded yet. Try again.');
  const attempt =
    (await lockPaymentAttemptByInvoice(tx, firstAttempt, invoice.id)) ??
    (await createInvoiceAttempt(tx, firstAttempt, invoice.id));
  const transition = await applyEventToPaymentAttempt(tx, { ...event, reference: attempt.reference });
  if (!transition || transition.effect === 'none') return 'repeated';
  if (transition.effect !== 'accept')
    return refundUnmatchedPlanPayment(services, tx, event, transition, subscription);
  const reason = await renew(services, tx, event, invoice, subscription);
  if (reason === undefined) return 'renewed';
  await updatePaymentAttempt(tx, { ...transition.attempt, state: 'RETURNED' });
  return refundUnmatchedPlanPayment(services, tx, event, { ...transition, reason }, subscription);
}

const createInvoiceAttempt = (
  tx: QueryHandle,
  { subjectId, item, amount, currency }: PaymentAttempt,
  invoiceId: string,
) =>
  createNextPaymentAttempt(tx, {
    kind: 'subscription',
    subjectId,
    item,
    amount,
    currency,
    expiresAt: now(),
    sessionId: invoiceId,
  });

/** Returns the reason for a refund, or undefined when the renewal was accepted. */
async function renew(
  services: Services,
  tx: QueryHandle,
  { recurring, paymentId }: PaymentEvent,
  invoice: Invoice,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string | undefined> {
  if (!subscription) return 'Subscription deleted';
  if (subscription.recurringId !== recurring?.id) return 'Plan changed before payment';
  const { effects } = await applyRenewalEvent(
    services,
    tx,
    subscription,
    { ...invoice, type: 'paid' },
    (effects) => (effects.includes('emitRenewed') ? { paymentId } : {}),
  );
  return effects.includes('refund') ? 'Paid after the subscription ended' : undefined;
}
