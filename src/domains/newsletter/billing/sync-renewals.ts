/** Asks the provider about subscriptions that renew instead of waiting for its events, and ends those whose time is over. */
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import { buildPaymentReference } from '../../payments/model.ts';
import { applyPaymentEvent } from '../../payments/receive-event.ts';
import { findSubscription, lockSubscription } from '../subscribe/subscription-store.ts';
import { applyRenewalEvent, isRenewing } from './renewals.ts';

const batchSize = 50;
/** One that could not be looked up now, or about which nothing is known yet, is looked up again then. */
const againSeconds = 3600;

/** Whatever the provider says is applied like its events: once. Throws when it does not answer. */
export async function syncRenewal(services: Services, id: string): Promise<void> {
  const { db, payments } = services;
  const known = await findSubscription(db, id);
  if (!known || !isRenewing(known)) return;
  // One that was left and came back has nothing at the provider any more: it goes by the clock alone.
  const events = known.recurringId === undefined ? [] : await payments.askRecurring(known.recurringId);
  for (const event of events)
    await db.transaction((tx) =>
      applyPaymentEvent(services, tx, {
        ...event,
        reference: event.reference ?? buildPaymentReference('subscription', id),
      }),
    );
  await db.transaction(async (tx) => {
    const current = await lockSubscription(tx, id);
    if (current && current.recurringId === known.recurringId)
      await applyRenewalEvent(services, tx, current, { type: 'clock' });
  });
}

export const syncRenewalJob = defineJob(
  'look-up-renewal',
  z.object({ id: z.string() }),
  (services: Services, { id }) => syncRenewal(services, id),
  { retries: 10 },
);

const claimStatement = `update subscriptions set check_at = $1 + ${againSeconds} where id in (
    select id from subscriptions where check_at <= $1 order by check_at limit ${batchSize} for update skip locked
  ) returning id`;

/** One that fails does not keep the others from it. */
export async function syncDueRenewals(services: Services): Promise<void> {
  for (;;) {
    const claimed = await services.db.sql<{ id: string }>(claimStatement, [now()]);
    for (const { id } of claimed)
      await syncRenewal(services, id).catch((error: unknown) =>
        services.log.warn({ err: error, subscriptionId: id }, 'renewal not looked up, will be tried again'),
      );
    if (claimed.length < batchSize) return;
  }
}

export const syncDueRenewalsJob = defineJob('check-renewals', noJobData, syncDueRenewals, {
  cron: '*/5 * * * *',
  retries: 0,
  timeout: 300,
});
