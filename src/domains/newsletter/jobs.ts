/** The jobs that send newsletters. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import type { JobHandler } from '../../ports/jobs.ts';
import { deliver } from './deliver.ts';
import { sendQueue } from './queue.ts';

/** One at a time in each process, a slice each: newsletters take turns. */
export const sendJob: JobHandler<Services, { sendId: string }> = {
  name: sendQueue,
  policy: { keyed: true, retries: 10, concurrency: 1, timeout: 30 },
  run: (services, { sendId }) => deliver(services, sendId),
};

/** Finds sends that nobody comes back for, whatever became of their jobs. */
export const resumeJob: JobHandler<Services> = {
  name: 'newsletter-resume',
  policy: { cron: '* * * * *', atStart: true, retries: 0 },
  async run({ db, jobs }) {
    const rows = await db.sql<{ id: string }>(
      `select id from newsletter_sends where status = 'SENDING' or (status = 'SCHEDULED' and scheduled_at < $1)`,
      [now() - 30],
    );
    for (const { id } of rows) await jobs.enqueue(db, sendQueue, { sendId: id }, { key: id });
  },
};
