/** Removes what the embedded mail and SMS ports kept for somebody who is gone. */
import type { Queries } from '../../db/sql.ts';
import { firstIdAt } from '../../lib/ids.ts';

/** Addresses in lower case; what came after `until` is for somebody else. */
export async function forgetMessages(
  queries: Queries,
  recipients: readonly string[],
  until: Date,
): Promise<void> {
  // Ids ascend with time.
  await queries.sql(
    'delete from outbox_messages where lower(recipient) = any($1::text[]) and id < $2::uuid',
    [recipients, firstIdAt(until.getTime() / 1000)],
  );
}
