/** What accounts do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import type { JobHandler } from '../../ports/jobs.ts';
import { type SmsMessage, SmsRefused } from '../../ports/sms.ts';
import { sendResetMail } from './passwords.ts';
import { forgotPasswordQueue, revokeIdentityQueue, smsQueue, tidyQueue } from './queues.ts';
import { revokeAtProvider } from './sessions.ts';

const smsJob: JobHandler<Services, SmsMessage> = {
  name: smsQueue,
  policy: { retries: 5, concurrency: 2 },
  async run({ sms, log }, message) {
    try {
      await sms.send(message);
    } catch (error) {
      if (!(error instanceof SmsRefused)) throw error;
      log.warn({ err: error, messageId: message.messageId }, 'text refused, not tried again');
    }
  },
};

const forgotPasswordJob: JobHandler<Services, Parameters<typeof sendResetMail>[1]> = {
  name: forgotPasswordQueue,
  run: sendResetMail,
};

const revokeIdentityJob: JobHandler<Services, { sealed: string }> = {
  name: revokeIdentityQueue,
  policy: { retries: 10 },
  run: revokeAtProvider,
};

const expiring = ['sessions', 'one_time_tokens', 'oauth_states', 'login_codes', 'phone_codes'];

/** What has expired no longer works; once a day it is also thrown away. */
const tidyJob: JobHandler<Services> = {
  name: tidyQueue,
  policy: { cron: '17 3 * * *' },
  async run({ db }) {
    for (const table of expiring) await db.sql(`delete from ${table} where expires_at < $1`, [now()]);
  },
};

export const userJobs = [forgotPasswordJob, smsJob, revokeIdentityJob, tidyJob];
