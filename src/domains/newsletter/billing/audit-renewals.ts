/** Audit of renewals: finds paid invoices without a payment attempt, and recurring payments that the provider bills although the subscription has ended. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { AuditFinding } from '../../../lib/audit-finding.ts';
import { auditRecurringPayments } from '../../payments/reconcile/audit-recurring-payments.ts';
import { findSubscription } from '../subscribe/subscription-store.ts';
import { isProviderCancellationPending } from './provider-cancellations.ts';
import { isSubscriptionRenewing } from './renewals.ts';

export async function* auditRenewals(
  services: Pick<Services, 'db' | 'payments'>,
): AsyncGenerator<AuditFinding> {
  for await (const { firstAttempt, recurring, unrecordedInvoices } of auditRecurringPayments(services)) {
    const { reference: about, subjectId } = firstAttempt;
    for (const { paymentId, amount } of unrecordedInvoices)
      yield {
        about,
        problem: `${amount} paid at the provider for a renewal, no payment attempt recorded here (${paymentId})`,
      };
    const { id, status } = recurring;
    if (status !== undefined && status !== 'ended' && !(await isExpected(services.db, subjectId, id)))
      yield { about, problem: `subscription has ended here, but the provider still bills it (${id})` };
  }
}

/** True when the subscription still renews by this recurring payment, or its cancellation at the provider is queued. */
async function isExpected(
  queries: QueryHandle,
  subscriptionId: string,
  recurringId: string,
): Promise<boolean> {
  const subscription = await findSubscription(queries, subscriptionId);
  if (subscription?.recurringId === recurringId && isSubscriptionRenewing(subscription)) return true;
  return isProviderCancellationPending(queries, recurringId);
}
