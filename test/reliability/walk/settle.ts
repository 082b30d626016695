/** Everything that is under way comes to its end, as it does with time; then the auditor looks. */
import { processProviderCancellations } from '../../../src/domains/newsletter/billing/provider-cancellations.ts';
import { syncDueRenewals } from '../../../src/domains/newsletter/billing/sync-renewals.ts';
import { reconcilePayments } from '../../../src/domains/payments/reconcile/reconcile-payments.ts';
import { listFailures, retryFailure } from '../../../src/maintenance/failed-work.ts';
import { runAllJobs } from '../../simulation/run-jobs.ts';
import { auditFindings } from '../../support/consistency-audit.ts';
import type { TestApp } from '../../support/test-app.ts';

/** Returns what does not balance, and what has failed for good besides refunds that the provider refused. */
export async function settleBooks(t: TestApp): Promise<string[]> {
  const { services } = t.app;
  // Whoever held these was killed.
  await t.db.sql(`update pgboss.job set state = 'retry' where state = 'active'`);
  await runAllJobs({ t });
  await reconcilePayments(services, { eventGraceSeconds: 0, paymentGraceSeconds: 0 });
  await t.db.sql('update subscriptions set check_at = 0 where check_at is not null');
  await syncDueRenewals(services);
  await runAllJobs({ t });
  await t.db.sql('update renewal_endings set try_at = 0');
  await processProviderCancellations(services);
  // What went back of bills that are known only now.
  await reconcilePayments(services, { eventGraceSeconds: 0, paymentGraceSeconds: 0 });
  await runAllJobs({ t });
  const failures = await listFailures(services.db, 1000);
  for (const { kind, id } of failures) if (kind === 'refund') await retryFailure(services, kind, id);
  await runAllJobs({ t });
  const unexpected = failures.filter(({ kind }) => kind !== 'refund');
  return [
    ...unexpected.map(({ kind, subject: what, reason }) => `${kind} ${what}: ${reason}`),
    ...(await auditFindings(services)),
  ];
}
