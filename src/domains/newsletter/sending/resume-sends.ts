/** Job that re-enqueues newsletter sends whose own job was lost. */
import type { Services } from '../../../context.ts';
import { buildWritableBusinessSql } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { sendNewsletterJob } from './deliver-newsletter.ts';

/** Enqueues a job for every unfinished send. Jobs are deduplicated by send id. Runs every minute and at startup. */
export const resumeNewsletterSendsJob = defineJob(
  'newsletter-resume',
  noJobDataSchema,
  async ({ db, jobs }: Pick<Services, 'db' | 'jobs'>) => {
    const rows = await db.sql<{ id: string }>(
      `select id from newsletter_sends n where (status = 'SENDING' or (status = 'SCHEDULED' and scheduled_at < $1))
         and ${buildWritableBusinessSql('n.business_id')}`,
      [now() - 30],
    );
    for (const { id } of rows) await jobs.enqueue(db, sendNewsletterJob, { sendId: id }, { key: id });
  },
  { cron: '* * * * *', atStart: true, retries: 0 },
);
