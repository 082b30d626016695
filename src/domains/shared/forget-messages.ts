/** Removes what the embedded mail and SMS ports kept for somebody who is gone. */
import type { Queries } from '../../db/sql.ts';

/** Addresses in lower case. */
export async function forgetMessages(queries: Queries, recipients: readonly string[]): Promise<void> {
  await queries.sql('delete from outbox_messages where lower(recipient) = any($1::text[])', [recipients]);
}
