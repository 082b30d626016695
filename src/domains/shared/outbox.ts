/** What the embedded mail and SMS ports kept instead of sending. */
import type { Db } from '../../db/sql.ts';
import type { Sweep } from '../../db/sweep.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';

const shown = 50;

export const listOutbox = (db: Db): Promise<OutboxMessage[]> =>
  db.prisma.outboxMessage.findMany({ orderBy: { id: 'desc' }, take: shown });

const keptSeconds = 30 * 86_400;

export const sweeps: readonly Sweep[] = [
  { kept: 'expired', table: 'outbox_messages', old: `created_at < $1 - ${keptSeconds}` },
];
