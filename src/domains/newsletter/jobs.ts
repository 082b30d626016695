/** What newsletters do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noData } from '../../ports/jobs.ts';
import { sendJob } from './deliver.ts';
import { endRenewalsJob } from './endings.ts';
import { checkRenewalsJob, lookUpRenewalJob } from './look-up.ts';

/** Finds sends that nobody comes back for, whatever became of their jobs. */
export const resumeJob = defineJob(
  'newsletter-resume',
  noData,
  async ({ db, jobs }: Pick<Services, 'db' | 'jobs'>) => {
    const rows = await db.sql<{ id: string }>(
      `select id from newsletter_sends where status = 'SENDING' or (status = 'SCHEDULED' and scheduled_at < $1)`,
      [now() - 30],
    );
    for (const { id } of rows) await jobs.enqueue(db, sendJob, { sendId: id }, { key: id });
  },
  { cron: '* * * * *', atStart: true, retries: 0 },
);

export const jobs = [sendJob, resumeJob, endRenewalsJob, checkRenewalsJob, lookUpRenewalJob];
