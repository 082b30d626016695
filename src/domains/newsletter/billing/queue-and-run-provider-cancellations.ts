/**
 * Cancels recurring payments at the provider, with retries until it confirms. The table renewal_endings is the queue. After a confirmed
 * cancellation no further invoices can appear, so the invoices paid until then are read and applied once.
 */
import type { Services } from '../../../context.ts';
import { buildWritableBusinessSql, type QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { applyPaymentEvent } from '../../payments/receive-payment-event.ts';

const batchSize = 50;
/** Lease of a claim: when the process dies, another one takes over after this many seconds. */
const claimSeconds = 60;
const maxRetryDelaySeconds = 3600;

/** Queues the cancellation in the transaction that ends the renewal. */
export async function queueProviderCancellation(
  { jobs }: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  recurringId: string,
): Promise<void> {
  await tx.write('insert into renewal_endings (recurring_id) values ($1) on conflict do nothing', [
    recurringId,
  ]);
  await jobs.enqueue(tx, providerCancellationsJob, {});
}

/** True while the cancellation is queued. */
export async function isProviderCancellationPending(
  queries: QueryHandle,
  recurringId: string,
): Promise<boolean> {
  const rows = await queries.sql('select 1 from renewal_endings where recurring_id = $1', [recurringId]);
  return rows.length > 0;
}

const claimStatement = `update renewal_endings set try_at = $1 + ${claimSeconds}, tries = tries + 1 where recurring_id in (
    select recurring_id from renewal_endings e where try_at <= $1 and ${buildWritableBusinessSql('e.business_id')} order by try_at limit ${batchSize} for update skip locked
  ) returning recurring_id as id, tries`;

export async function processProviderCancellations(services: Services): Promise<void> {
  const { db, payments, log } = services;
  for (;;) {
    const claimed = await db.write<{ id: string; tries: number }>(claimStatement, [now()]);
    for (const { id, tries } of claimed) {
      try {
        await payments.cancelRecurring(id);
        await applyPaidInvoices(services, id);
        await db.write('delete from renewal_endings where recurring_id = $1', [id]);
      } catch (error) {
        log.warn(
          { err: error, recurringId: id, tries },
          'cancellation at the payment provider failed, will be retried',
        );
        await db.write('update renewal_endings set try_at = $2 where recurring_id = $1', [
          id,
          now() + Math.min(60 * 2 ** Math.min(tries, 10), maxRetryDelaySeconds),
        ]);
      }
    }
    if (claimed.length < batchSize) return;
  }
}

/** Applies paid invoices only: the recurring payment has ended, so its status needs no update. */
async function applyPaidInvoices(services: Services, recurringId: string): Promise<void> {
  for (const event of await services.payments.listRecurringEvents(recurringId))
    if (event.type === 'paid') await services.db.transaction((tx) => applyPaymentEvent(services, tx, event));
}

export const providerCancellationsJob = defineJob(
  'end-renewals',
  noJobDataSchema,
  processProviderCancellations,
  { cron: '* * * * *', retries: 0, timeout: 300 },
);
