/** What accounts do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noData } from '../../ports/jobs.ts';
import { forgotPasswordJob } from './passwords.ts';
import { revokeIdentityJob } from './sessions.ts';
import { smsJob } from './texts.ts';

const expiring = ['sessions', 'one_time_tokens', 'oauth_states', 'login_codes', 'phone_codes'];

/** What has expired no longer works; once a day it is also thrown away. */
const tidyJob = defineJob(
  'users.tidy',
  noData,
  async ({ db }: Pick<Services, 'db'>) => {
    for (const table of expiring) await db.sql(`delete from ${table} where expires_at < $1`, [now()]);
  },
  { cron: '17 3 * * *' },
);

export const jobs = [forgotPasswordJob, smsJob, revokeIdentityJob, tidyJob];
