/** What the embedded mail and SMS ports kept instead of sending. */

import type { RetentionRule } from '../../db/delete-expired-rows.ts';
import type { Db, Queries } from '../../db/handles.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';
import { lowestIdAt } from '../../lib/ids.ts';

const shown = 50;

export const listCapturedMessages = (db: Db): Promise<OutboxMessage[]> =>
  db.prisma.outboxMessage.findMany({ orderBy: { id: 'desc' }, take: shown });

const keptSeconds = 30 * 86_400;

export const sweeps: readonly RetentionRule[] = [
  { retentionKey: 'expired', table: 'outbox_messages', expiredCondition: `created_at < $1 - ${keptSeconds}` },
];

/** Removes what the embedded mail and SMS ports kept for somebody who is gone. */

/** Addresses in lower case; what came after `until` is for somebody else. */
export async function deleteCapturedMessages(
  queries: Queries,
  recipients: readonly string[],
  until: Date,
): Promise<void> {
  // Ids ascend with time.
  await queries.sql(
    'delete from outbox_messages where lower(recipient) = any($1::text[]) and id < $2::uuid',
    [recipients, lowestIdAt(until.getTime() / 1000)],
  );
}
