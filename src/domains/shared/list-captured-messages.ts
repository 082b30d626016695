/** Messages that the embedded mail and SMS adapters captured instead of sending: list and retention. */
import type { Db, RetentionRule } from '../../db/index.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';

const listLimit = 50;

export const listCapturedMessages = (db: Db): Promise<OutboxMessage[]> =>
  db.prisma.outboxMessage.findMany({ orderBy: { id: 'desc' }, take: listLimit });

const retentionSeconds = 30 * 86_400;

export const capturedMessageRetention: readonly RetentionRule[] = [
  {
    retentionKey: 'expired',
    table: 'outbox_messages',
    expiredCondition: `created_at < $1 - ${retentionSeconds}`,
  },
];
