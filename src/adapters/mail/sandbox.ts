/** Sandbox mail adapter: stores mails in the outbox instead of sending them. */
import type { Db } from '../../db/handles.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { MailSender } from '../../ports/mail.ts';

export const createSandboxMailSender = (db: Db): MailSender => ({
  embedded: true,
  async send({ to, subject, html, text, messageId, headers = {} }) {
    const id = newId();
    // The message id is unique, so a retry does not store the mail twice.
    await db.prisma.outboxMessage.createMany({
      data: [
        {
          id,
          kind: 'MAIL',
          recipient: to,
          subject,
          html,
          text,
          messageId: messageId ?? id,
          headers,
          createdAt: now(),
        },
      ],
      skipDuplicates: true,
    });
  },
});
