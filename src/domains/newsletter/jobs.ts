/** What newsletters do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noJobData } from '../../ports/jobs.ts';
import { providerCancellationsJob } from './billing/provider-cancellations.ts';
import { syncDueRenewalsJob, syncRenewalJob } from './billing/sync-renewals.ts';
import { sendNewsletterJob } from './sending/deliver-newsletter.ts';

/** Finds sends that nobody comes back for, whatever became of their jobs. */
export const resumeSendsJob = defineJob(
  'newsletter-resume',
  noJobData,
  async ({ db, jobs }: Pick<Services, 'db' | 'jobs'>) => {
    const rows = await db.sql<{ id: string }>(
      `select id from newsletter_sends where status = 'SENDING' or (status = 'SCHEDULED' and scheduled_at < $1)`,
      [now() - 30],
    );
    for (const { id } of rows) await jobs.enqueue(db, sendNewsletterJob, { sendId: id }, { key: id });
  },
  { cron: '* * * * *', atStart: true, retries: 0 },
);

export const jobs = [
  sendNewsletterJob,
  resumeSendsJob,
  providerCancellationsJob,
  syncDueRenewalsJob,
  syncRenewalJob,
];
