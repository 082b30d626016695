/** What webhooks do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import type { JobHandler } from '../../ports/jobs.ts';
import { deliverDue } from './deliver.ts';
import { deliverQueue } from './queue.ts';

/**
 * A nudge: the deliveries are in their own table. Every minute it also finds what nobody was nudged for. While one job
 * waits for the last slow answers, the other goes on.
 */
const deliverJob: JobHandler<Services> = {
  name: deliverQueue,
  policy: { cron: '* * * * *', atStart: true, retries: 0, timeout: 60, concurrency: 2 },
  run: deliverDue,
};

const keepSeconds = 30 * 86_400;

/** Events go with their deliveries. */
const tidyJob: JobHandler<Services> = {
  name: 'webhooks-tidy',
  policy: { cron: '41 3 * * *' },
  async run({ db }) {
    await db.sql('delete from webhook_events where created_at < $1', [now() - keepSeconds]);
  },
};

export const webhookJobs = [deliverJob, tidyJob];
