/** Reads the state of renewing subscriptions from the provider instead of waiting for its events, and ends those whose period or grace period is over. */
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import { buildWritableBusinessSql } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { buildPaymentReference } from '../../payments/model.ts';
import { applyPaymentEvent } from '../../payments/receive-payment-event.ts';
import { findSubscription, lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { applyRenewalEvent } from './apply-renewal-event.ts';
import { isSubscriptionRenewing } from './renewal-of-stored-subscription.ts';

const batchSize = 50;
/** Delay until the next sync of a subscription whose sync failed or brought no change. */
const nextSyncSeconds = 3600;

/** Applies the answer of the provider like its events: each once. Throws when the provider does not answer. */
async function syncRenewalFromProvider(services: Services, id: string): Promise<void> {
  const { db, payments } = services;
  const existing = await findSubscription(db, id);
  if (!existing || !isSubscriptionRenewing(existing)) return;
  // A resubscribed subscription has no recurring payment at the provider any more: only the clock ends it.
  const events =
    existing.recurringId === undefined ? [] : await payments.listRecurringEvents(existing.recurringId);
  for (const event of events)
    await db.transaction((tx) =>
      applyPaymentEvent(services, tx, {
        ...event,
        reference: event.reference ?? buildPaymentReference('subscription', id),
      }),
    );
  await db.transaction(async (tx) => {
    const current = await lockSubscription(tx, id);
    if (current && current.recurringId === existing.recurringId)
      await applyRenewalEvent(services, tx, current, { type: 'clock' });
  });
}

export const syncRenewalJob = defineJob(
  'look-up-renewal',
  z.object({ id: z.string() }),
  (services: Services, { id }) => syncRenewalFromProvider(services, id),
  { retries: 10 },
);

const claimStatement = `update subscriptions set check_at = $1 + ${nextSyncSeconds} where id in (
    select id from subscriptions s where check_at <= $1 and ${buildWritableBusinessSql('s.business_id')} order by check_at limit ${batchSize} for update skip locked
  ) returning id`;

/** A failed sync is logged and does not stop the others. */
export async function syncDueRenewals(services: Services): Promise<void> {
  for (;;) {
    const claimed = await services.db.write<{ id: string }>(claimStatement, [now()]);
    for (const { id } of claimed)
      await syncRenewalFromProvider(services, id).catch((error: unknown) =>
        services.log.warn({ err: error, subscriptionId: id }, 'renewal sync failed, will be retried'),
      );
    if (claimed.length < batchSize) return;
  }
}

export const syncDueRenewalsJob = defineJob('check-renewals', noJobDataSchema, syncDueRenewals, {
  cron: '*/5 * * * *',
  retries: 0,
  timeout: 300,
});
