/** Every so many steps: all that waits is done, and the auditor and the model look at the books. */

import { processProviderCancellations } from '../../src/domains/newsletter/billing/provider-cancellations.ts';
import { syncDueRenewals } from '../../src/domains/newsletter/billing/sync-renewals.ts';
import { auditConsistency } from '../../src/maintenance/consistency-audit.ts';
import { listFailures, retryFailure } from '../../src/maintenance/failed-work.ts';
import { assertContract } from './contract-violation.ts';
import { reconcileAll } from './reconcile-all.ts';
import { runAllJobs } from './run-jobs.ts';
import { plans } from './create-shop.ts';
import { checkRecords } from './record-invariants.ts';
import type { World } from './world.ts';

export async function checkConsistency(world: World): Promise<void> {
  const { services } = world.t.app;
  await runAllJobs(world);
  // What was closed a moment ago is asked about a moment later.
  world.clock.advance(2);
  await reconcileAll(world);
  await runAllJobs(world);
  await world.t.db.sql('update subscriptions set check_at = 0 where check_at is not null');
  await syncDueRenewals(services);
  await world.t.db.sql('update renewal_endings set try_at = 0');
  await processProviderCancellations(services);
  await reconcileAll(world);
  await runAllJobs(world);
  await checkUnrefundedPayments(world);
  // The operator tries again what has failed for good.
  for (const { kind, id } of await listFailures(services.db, 1000)) await retryFailure(services, kind, id);
  await runAllJobs(world);
  await checkRecords(world);
  const findings = await findingsOf(world);
  assertContract(findings.length === 0, 'audit', () => findings.join('; '));
  await checkSubscriptions(world);
  await checkPromos(world);
  checkMails(world);
}

async function findingsOf({ t }: World): Promise<string[]> {
  const findings: string[] = [];
  for await (const { about, problem } of auditConsistency(t.app.services))
    findings.push(`${about}: ${problem}`);
  return findings;
}

/** What waits for the operator is money that a bank did not take back, and nothing else. Of what a bank took by itself nothing is left. */
async function checkUnrefundedPayments(world: World): Promise<void> {
  const findings = (await findingsOf(world)).filter((finding) => !finding.includes('do not cover the unmatched payment'));
  assertContract(findings.length === 0, 'audit before the operator', () => findings.join('; '));
  const owed = await world.t.db.sql<{ reference: string; failure: string | null }>(
    `select a.reference, r.failure from payment_attempts a left join refunds r on r.attempt_id = a.id and not r.counts
     where a.state = 'RETURNED' and a.refunded_elsewhere < a.captured and (r.id is null or r.status = 'FAILED')
       and not exists (select from sandbox_payments s where s.refunds ? ('failed:' || r.id || case when r.tries > 0 then ':' || r.tries else '' end))`,
  );
  assertContract(owed.length === 0, 'money that nobody sends back', () => JSON.stringify(owed));
}

/** Nobody reads a plan that they did not pay for. */
async function checkSubscriptions({ t }: World): Promise<void> {
  const rows = await t.db.sql<{ id: string; plan: string; paid: number[] }>(
    `select s.id, s.plan_id as plan, coalesce((select json_agg((p.request->>'amount')::int) from sandbox_payments p
       where p.state = 'PAID' and split_part(p.reference, ':', 2) = s.id::text), '[]') as paid
     from subscriptions s where s.status = 'ACTIVE'`,
  );
  for (const { id, plan, paid } of rows) {
    const price = plans[plan] ?? 0;
    assertContract(price === 0 || paid.includes(price), 'plan that nobody paid', () =>
      JSON.stringify({ id, plan, paid }),
    );
  }
}

/** An order that was cancelled has given back its promo code. */
async function checkPromos({ t }: World): Promise<void> {
  const kept = await t.db.sql(
    `select o.id from promo_claims c join orders o on o.id = c.order_id where o.status = 'CANCELLED'`,
  );
  assertContract(kept.length === 0, 'promo code of a cancelled order', () => JSON.stringify(kept));
}

/** One mail per send and reader, and one of each other mail. */
function checkMails({ ports }: World): void {
  const doubled = [...ports.mailCounts].filter(([id, { sent, troubled }]) => id !== '' && sent > 1 && !troubled);
  assertContract(doubled.length === 0, 'mail sent twice', () => JSON.stringify(doubled));
}
