/**
 * Tells the provider to end renewals, and tries again until it agrees. Which ones are still to be told is a table. What it has billed
 * until then and nobody told us is asked for after that: nothing can be added to it any more.
 */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import { applyPaymentEvent } from '../../payments/receive-event.ts';

const batchSize = 50;
/** How long a claim lasts: should the process die, others take over then. */
const claimSeconds = 60;
const longestPause = 3600;

/** In the transaction that decides on it. */
export async function cancelAtProvider(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Queries,
  recurringId: string,
): Promise<void> {
  await tx.sql('insert into renewal_endings (recurring_id) values ($1) on conflict do nothing', [
    recurringId,
  ]);
  await jobs.enqueue(tx, providerCancellationsJob, {});
}

/** Whether its end is on its way to the provider. */
export async function isProviderCancellationPending(queries: Queries, recurringId: string): Promise<boolean> {
  const rows = await queries.sql('select 1 from renewal_endings where recurring_id = $1', [recurringId]);
  return rows.length > 0;
}

const claimStatement = `update renewal_endings set try_at = $1 + ${claimSeconds}, tries = tries + 1 where recurring_id in (
    select recurring_id from renewal_endings where try_at <= $1 order by try_at limit ${batchSize} for update skip locked
  ) returning recurring_id as id, tries`;

export async function processProviderCancellations(services: Services): Promise<void> {
  const { db, payments, log } = services;
  for (;;) {
    const claimed = await db.sql<{ id: string; tries: number }>(claimStatement, [now()]);
    for (const { id, tries } of claimed) {
      try {
        await payments.endRecurring(id);
        await applyBills(services, id);
        await db.sql('delete from renewal_endings where recurring_id = $1', [id]);
      } catch (error) {
        log.warn(
          { err: error, recurringId: id, tries },
          'the provider does not end a subscription, will be asked again',
        );
        await db.sql('update renewal_endings set try_at = $2 where recurring_id = $1', [
          id,
          now() + Math.min(60 * 2 ** Math.min(tries, 10), longestPause),
        ]);
      }
    }
    if (claimed.length < batchSize) return;
  }
}

/** Where it stands is known: it has ended. */
async function applyBills(services: Services, recurringId: string): Promise<void> {
  for (const event of await services.payments.askRecurring(recurringId))
    if (event.type === 'paid') await services.db.transaction((tx) => applyPaymentEvent(services, tx, event));
}

export const providerCancellationsJob = defineJob('end-renewals', noJobData, processProviderCancellations, {
  cron: '* * * * *',
  retries: 0,
  timeout: 300,
});
