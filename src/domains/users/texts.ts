/** Text messages go out by a job: never lost, never for a change that was undone. */
import type { Services } from '../../context.ts';
import { defineJob } from '../../ports/jobs.ts';
import { SmsRefused, smsMessage } from '../../ports/sms.ts';

export const smsJob = defineJob(
  'sms',
  smsMessage,
  async ({ sms, log }: Pick<Services, 'sms' | 'log'>, message) => {
    try {
      await sms.send(message);
    } catch (error) {
      if (!(error instanceof SmsRefused)) throw error;
      log.warn({ err: error, messageId: message.messageId }, 'text refused, not tried again');
    }
  },
  { retries: 5, concurrency: 2 },
);
