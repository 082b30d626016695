/** Audit of renewals: finds paid invoices without a payment attempt, recurring payments that the provider bills although the subscription has ended, ended subscriptions, and subscriptions of deleted accounts. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { AuditFinding } from '../../../lib/consistency-audit-finding.ts';
import { auditRecurringPayments } from '../../payments/reconcile/audit-recurring-payments.ts';
import { buildOpenPaymentAttemptExistsSql } from '../../payments/stored-payment-attempts.ts';
import { loadOverdueErasures } from '../../users/privacy/erase-users.ts';
import { buildErasedSubscriberEmail } from '../model.ts';
import { findSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { isSubscriptionRenewing } from './apply-renewal-event.ts';
import { isProviderCancellationPending } from './queue-and-run-provider-cancellations.ts';

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

const billedErased = `select 'subscription:' || s.id as about, case
      when s.renewal_state in ('ACTIVE', 'PAST_DUE') then 'renews although the account of its subscriber was deleted'
      when s.status = 'ACTIVE' then 'is ACTIVE although the account of its subscriber was deleted'
      else 'has an open payment page although the account of its subscriber was deleted' end as problem
  from subscriptions s where (s.key = s.id || '${buildErasedSubscriberEmail('')}' or exists (
      select 1 from jsonb_to_recordset($1::jsonb) as e(key text, gone_at bigint) where e.key = s.key and s.created_at <= e.gone_at))
    and (s.renewal_state in ('ACTIVE', 'PAST_DUE') or s.status = 'ACTIVE' or ${buildOpenPaymentAttemptExistsSql('subscription', 's.id')})
  order by s.id`;

// A plan that was requested after the end waits for its payment.
const billedEnded = `select 'subscription:' || s.id as about, case when s.renewal_state in ('ACTIVE', 'PAST_DUE') then 'renews'
      else 'has an open payment page' end || ' although it is ' || s.status as problem
  from subscriptions s where s.status in ('CANCELLED', 'UNSUBSCRIBED') and s.next_plan_id is null and s.key <> s.id || '${buildErasedSubscriberEmail('')}'
    and (s.renewal_state in ('ACTIVE', 'PAST_DUE') or ${buildOpenPaymentAttemptExistsSql('subscription', 's.id')})
  order by s.id`;

/** Finds ended subscriptions that renew or can still be paid. */
export const auditEndedSubscriptions = ({ db }: Pick<Services, 'db'>): Promise<AuditFinding[]> =>
  db.sql<AuditFinding>(billedEnded, []);

/** Finds subscriptions of deleted accounts that are active, renew, or can still be paid. */
export async function auditErasedSubscriptions({ db }: Pick<Services, 'db'>): Promise<AuditFinding[]> {
  const overdue = (await loadOverdueErasures(db)).flatMap(({ contacts, goneAt }) =>
    contacts.map((key) => ({ key, gone_at: Math.floor(goneAt.getTime() / 1000) })),
  );
  return db.sql<AuditFinding>(billedErased, [JSON.stringify(overdue)]);
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
