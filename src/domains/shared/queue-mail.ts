/** Mail is queued in the transaction that causes it, and sent by a job: never lost, never for a change that was undone. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { newId } from '../../lib/ids.ts';
import { defineJob, PermanentJobError } from '../../ports/jobs.ts';
import { type MailMessage, MailRejectedError, mailMessageSchema } from '../../ports/mail.ts';

/** `tx` is the transaction of the change. */
export async function queueMail(
  { jobs, config }: Pick<Services, 'jobs' | 'config'>,
  tx: Queries,
  message: MailMessage,
): Promise<void> {
  const messageId = `<${newId()}@${new URL(config.publicUrl).hostname}>`;
  await jobs.enqueue(tx, mailJob, { messageId, ...message });
}

export const mailJob = defineJob(
  'mail',
  mailMessageSchema,
  async ({ mail }: Pick<Services, 'mail'>, message) => {
    try {
      await mail.send(message);
    } catch (error) {
      if (!(error instanceof MailRejectedError)) throw error;
      throw new PermanentJobError(error.message, { cause: error });
    }
  },
  // Pauses double from two seconds on: a mail server may be away for a day and a half before anybody has to look.
  // A mail whose process died is sent by another one soon; the adapter gives up on a silent server before that.
  { retries: 16, concurrency: 2, timeout: 30 },
);
