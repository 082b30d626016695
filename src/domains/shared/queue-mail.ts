/** Mail is queued in the transaction that causes it, and sent by a job: never lost, never for a change that was undone. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import type { JobHandler } from '../../ports/jobs.ts';
import { type MailMessage, MailRefused } from '../../ports/mail.ts';

const queue = 'mail';

/** `tx` is the transaction of the change. */
export async function queueMail(
  { jobs, config }: Pick<Services, 'jobs' | 'config'>,
  tx: Queries,
  message: MailMessage,
): Promise<void> {
  const messageId = `<${newId()}@${new URL(config.publicUrl).hostname}>`;
  await jobs.enqueue(tx, queue, { messageId, ...message });
}

export const mailJob: JobHandler<Services, MailMessage> = {
  name: queue,
  // A mail whose process died is sent by another one soon; the adapter gives up on a silent server before that.
  policy: { retries: 10, concurrency: 2, timeout: 30 },
  async run({ mail, log }, message) {
    try {
      await mail.send(message);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ err: error, messageId: message.messageId }, 'mail refused, not tried again');
    }
  },
};
