/** What the embedded mail and SMS ports kept instead of sending. */
import type { Db } from '../../db/sql.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';

const shown = 50;

export const listOutbox = (db: Db): Promise<OutboxMessage[]> =>
  db.prisma.outboxMessage.findMany({ orderBy: { id: 'desc' }, take: shown });
