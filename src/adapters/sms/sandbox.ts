/** Sandbox SMS adapter: stores text messages in the outbox instead of sending them. */
import type { Db } from '../../db/handles.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { SmsSender } from '../../ports/sms.ts';

export const createSandboxSmsSender = (db: Db): SmsSender => ({
  embedded: true,
  async send({ to, text, messageId }) {
    // The message id is unique, so a retry does not store the message twice.
    await db.prisma.outboxMessage.createMany({
      data: [{ id: newId(), kind: 'SMS', recipient: to, text, messageId, createdAt: now() }],
      skipDuplicates: true,
    });
  },
});
