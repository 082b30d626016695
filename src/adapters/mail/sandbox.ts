/** Mail that goes no further than the sandbox outbox. */
import type { Db } from '../../db/handles.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { Mail } from '../../ports/mail.ts';

export const createSandboxMail = (db: Db): Mail => ({
  embedded: true,
  async send({ to, subject, html, text, messageId, headers = {} }) {
    const id = newId();
    // The message id is unique: a retried mail is still one mail.
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
