/** Text messages go out by a job: never lost, never for a change that was undone. */
import type { Services } from '../../../context.ts';
import { defineJob } from '../../../ports/jobs.ts';
import { SmsRejectedError, smsMessageSchema } from '../../../ports/sms.ts';

export const sendSmsJob = defineJob(
  'sms',
  smsMessageSchema,
  async ({ sms, log }: Pick<Services, 'sms' | 'log'>, message) => {
    try {
      await sms.send(message);
    } catch (error) {
      if (!(error instanceof SmsRejectedError)) throw error;
      log.warn({ err: error, messageId: message.messageId }, 'text refused, not tried again');
    }
  },
  { retries: 5, concurrency: 2 },
);
