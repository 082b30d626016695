/** Runs all pending jobs, retries and reconciliations to completion, then audits the database. */
import { processProviderCancellations } from '../../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { syncDueRenewals } from '../../../src/domains/newsletter/billing/sync-renewals.ts';
import { reconcilePayments } from '../../../src/domains/payments/reconcile/reconcile-payments.ts';
import { listFailedWork } from '../../../src/maintenance/failed-work.ts';
import { runAllJobs } from '../../simulation/run-jobs.ts';
import { auditFindings } from '../../support/consistency-audit.ts';
import { retryAsOperator } from '../../support/retry-as-operator.ts';
import type { TestApp } from '../../support/test-app.ts';

/** Returns the findings of the audit, and permanent failures other than refunds that the provider rejected. */
export async function settleAndAudit(t: TestApp): Promise<string[]> {
  const { services } = t.app;
  // The processes that ran these jobs were killed.
  await t.db.write(`update pgboss.job set state = 'retry' where state = 'active'`);
  await runAllJobs({ t });
  await reconcilePayments(services, { eventGraceSeconds: 0, paymentGraceSeconds: 0 });
  await t.db.write('update subscriptions set check_at = 0 where check_at is not null');
  await syncDueRenewals(services);
  await runAllJobs({ t });
  await t.db.write('update renewal_endings set try_at = 0');
  await processProviderCancellations(services);
  // Refunds of invoices that the steps above have recorded.
  await reconcilePayments(services, { eventGraceSeconds: 0, paymentGraceSeconds: 0 });
  await runAllJobs({ t });
  const failures = await listFailedWork(services.db, 1000);
  await retryAsOperator(
    t,
    failures.filter(({ kind }) => kind === 'refund'),
  );
  await runAllJobs({ t });
  const unexpected = failures.filter(({ kind }) => kind !== 'refund');
  return [
    ...unexpected.map(({ kind, subject, reason }) => `${kind} ${subject}: ${reason}`),
    ...(await auditFindings(services)),
  ];
}
