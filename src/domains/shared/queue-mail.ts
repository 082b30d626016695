/** Queues mails in the transaction of the change; a job sends them. No mail is lost, and none is sent for a rolled-back change. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { defineJob, type JobPolicy, PermanentJobError } from '../../ports/jobs.ts';
import { type MailMessage, MailRejectedError, mailMessageSchema } from '../../ports/mail.ts';

/** `tx` is the transaction of the change that causes the mail. */
export async function queueMail(
  { jobs, config }: Pick<Services, 'jobs' | 'config'>,
  tx: QueryHandle,
  message: MailMessage,
): Promise<void> {
  await jobs.enqueue(tx, sendMailJob, { messageId: createMailMessageId(config), ...message });
}

export const createMailMessageId = ({ publicUrl }: Pick<Services['config'], 'publicUrl'>): string =>
  `<${newId()}@${new URL(publicUrl).hostname}>`;

/** Sends a mail in a job. A permanent rejection by the mail server fails the job without retries. */
export async function sendMailInJob({ mail }: Pick<Services, 'mail'>, message: MailMessage): Promise<void> {
  try {
    await mail.send(message);
  } catch (error) {
    if (!(error instanceof MailRejectedError)) throw error;
    throw new PermanentJobError(error.message, { cause: error });
  }
}

/**
 * Retry delays double from two seconds: 16 retries cover an outage of the mail server of a day and a half. When a process dies, another
 * one takes over after 30 seconds; the mail adapter times out before that.
 */
export const mailJobPolicy: JobPolicy = { retries: 16, concurrency: 2, timeout: 30, discardData: true };

export const sendMailJob = defineJob('mail', mailMessageSchema, sendMailInJob, mailJobPolicy);
