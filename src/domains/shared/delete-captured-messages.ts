/** Deletes captured messages of an erased account. */
import type { QueryHandle } from '../../db/index.ts';
import { lowestIdAt } from '../../lib/ids.ts';

/** Deletes the messages to `recipients` (lower case) up to `until`, for account erasure. Later messages belong to another person. */
export async function deleteCapturedMessages(
  queries: QueryHandle,
  recipients: readonly string[],
  until: Date,
): Promise<void> {
  // Ids are UUIDv7: they ascend with time.
  await queries.write(
    'delete from outbox_messages where lower(recipient) = any($1::text[]) and id < $2::uuid',
    [recipients, lowestIdAt(until.getTime() / 1000)],
  );
}
