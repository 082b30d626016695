/** Periodic check of a walk: runs all pending work, then the consistency audit and the checks of the model. */

import { processProviderCancellations } from '../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { syncDueRenewals } from '../../src/domains/newsletter/billing/sync-renewals.ts';
import { streamConsistencyFindings } from '../../src/maintenance/consistency-audit.ts';
import { listFailedWork } from '../../src/maintenance/failed-work.ts';
import { retryAsOperator } from '../support/retry-as-operator.ts';
import { assertContract } from './contract-violation.ts';
import { plans } from './create-shop.ts';
import { reconcileAll } from './reconcile-all.ts';
import { checkRecords } from './record-invariants.ts';
import { runAllJobs } from './run-jobs.ts';
import type { World } from './world.ts';

export async function checkConsistency(world: World): Promise<void> {
  const { services } = world.t.app;
  await runAllJobs(world);
  // Reconciliation skips payment pages that were closed in the current second.
  world.clock.advance(2);
  await reconcileAll(world);
  await runAllJobs(world);
  await world.t.db.write('update subscriptions set check_at = 0 where check_at is not null');
  await syncDueRenewals(services);
  await world.t.db.write('update renewal_endings set try_at = 0');
  await processProviderCancellations(services);
  await reconcileAll(world);
  await runAllJobs(world);
  await checkUnrefundedPayments(world);
  // Retries permanently failed work, as an operator does.
  await retryAsOperator(world.t, await listFailedWork(services.db, 1000));
  await runAllJobs(world);
  await checkRecords(world);
  const findings = await auditFindings(world);
  assertContract(findings.length === 0, 'audit', () => findings.join('; '));
  await checkSubscriptions(world);
  await checkPromoCodes(world);
  checkMails(world);
}

async function auditFindings({ t }: World): Promise<string[]> {
  const findings: string[] = [];
  for await (const { about, problem } of streamConsistencyFindings(t.app.services))
    findings.push(`${about}: ${problem}`);
  return findings;
}

/**
 * Before the operator retries, the only allowed findings are unmatched payments whose refund failed at the bank. A payment that the
 * bank returned completely by itself needs no refund.
 */
async function checkUnrefundedPayments(world: World): Promise<void> {
  const findings = (await auditFindings(world)).filter(
    (finding) => !finding.includes('do not cover the unmatched payment'),
  );
  assertContract(findings.length === 0, 'audit before the operator', () => findings.join('; '));
  const unrefunded = await world.t.db.sql<{ reference: string; failure: string | null }>(
    `select a.reference, r.failure from payment_attempts a left join refunds r on r.attempt_id = a.id and not r.counts
     where a.state = 'RETURNED' and a.refunded_elsewhere < a.captured and (r.id is null or r.status = 'FAILED')
       and not exists (select from sandbox_payments s where s.refunds ? ('failed:' || r.id || case when r.tries > 0 then ':' || r.tries else '' end))`,
  );
  assertContract(unrefunded.length === 0, 'unmatched payment without a refund', () =>
    JSON.stringify(unrefunded),
  );
}

/** An active subscription to a paid plan has a payment of its price. */
async function checkSubscriptions({ t }: World): Promise<void> {
  const rows = await t.db.sql<{ id: string; plan: string; paid: number[] }>(
    `select s.id, s.plan_id as plan, coalesce((select json_agg((p.request->>'amount')::int) from sandbox_payments p
       where p.state = 'PAID' and split_part(p.reference, ':', 2) = s.id::text), '[]') as paid
     from subscriptions s where s.status = 'ACTIVE'`,
  );
  for (const { id, plan, paid: paidAmounts } of rows) {
    const price = plans[plan] ?? 0;
    assertContract(price === 0 || paidAmounts.includes(price), 'active plan without a payment', () =>
      JSON.stringify({ id, plan, paid: paidAmounts }),
    );
  }
}

/** Cancelled orders hold no use of a promo code. */
async function checkPromoCodes({ t }: World): Promise<void> {
  const claims = await t.db.sql(
    `select o.id from promo_claims c join orders o on o.id = c.order_id where o.status = 'CANCELLED'`,
  );
  assertContract(claims.length === 0, 'promo code of a cancelled order', () => JSON.stringify(claims));
}

/** Every mail was sent once, except those during a failure of the mail port. */
function checkMails({ ports }: World): void {
  const duplicates = [...ports.mailCounts].filter(
    ([id, { sent, troubled }]) => id !== '' && sent > 1 && !troubled,
  );
  assertContract(duplicates.length === 0, 'mail sent twice', () => JSON.stringify(duplicates));
}
