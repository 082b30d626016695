/** Whether every bill that the provider was paid is in our books, and nobody is billed for what has ended here. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { AuditFinding } from '../../../lib/audit-finding.ts';
import { auditRecurringPayments } from '../../payments/reconcile/recurring-payments.ts';
import { findSubscription } from '../subscribe/subscription-store.ts';
import { isProviderCancellationPending } from './provider-cancellations.ts';
import { isRenewing } from './renewals.ts';

export async function* auditRenewals(
  services: Pick<Services, 'db' | 'payments'>,
): AsyncGenerator<AuditFinding> {
  for await (const {
    firstAttempt: page,
    recurring,
    unrecordedInvoices: unknownBills,
  } of auditRecurringPayments(services)) {
    const { reference: about, subjectId } = page;
    for (const { paymentId, amount } of unknownBills)
      yield { about, problem: `${amount} paid at the provider for a renewal, not here (${paymentId})` };
    const { id, status } = recurring;
    if (status !== undefined && status !== 'ended' && !(await isExpected(services.db, subjectId, id)))
      yield { about, problem: `has ended here, and the provider goes on billing (${id})` };
  }
}

/** It renews here too, or its end is on its way to the provider. */
async function isExpected(queries: Queries, subscriptionId: string, recurringId: string): Promise<boolean> {
  const subscription = await findSubscription(queries, subscriptionId);
  if (subscription?.recurringId === recurringId && isRenewing(subscription)) return true;
  return isProviderCancellationPending(queries, recurringId);
}
