/** Job that sends text messages. Enqueued in the transaction of the change, so that a rollback sends nothing and a failure is retried. */
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
      log.warn({ err: error, messageId: message.messageId }, 'SMS rejected by the provider; not retried');
    }
  },
  { retries: 5, concurrency: 2 },
);
