/** What webhooks do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noData } from '../../ports/jobs.ts';
import { deliverJob } from './deliver.ts';

const keepSeconds = 30 * 86_400;

/** Events go with their deliveries. */
const tidyJob = defineJob(
  'webhooks-tidy',
  noData,
  async ({ db }: Pick<Services, 'db'>) => {
    await db.sql('delete from webhook_events where created_at < $1', [now() - keepSeconds]);
  },
  { cron: '41 3 * * *' },
);

export const jobs = [deliverJob, tidyJob];
