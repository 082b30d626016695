/** Collects the recipients of a send: all active subscriptions of its newsletter. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import type { StartedNewsletterSend } from './start-and-finish-send.ts';

const collectBatchSize = 5000;

// Keyset pagination by subscription id: an interrupted run continues after the last inserted id.
const collectStatement = `
  with last as (
    select r.subscription_id as id from newsletter_recipients r where r.send_id = $1 order by r.subscription_id desc limit 1
  ), put as (
    insert into newsletter_recipients (send_id, subscription_id)
    select $1, s.id from subscriptions s where s.collection_id = $2 and s.status = 'ACTIVE'
      and s.id > coalesce((select id from last), '00000000-0000-0000-0000-000000000000')
    order by s.id limit $3 on conflict do nothing returning 1
  ) select count(*)::int as put from put`;

/** Inserts recipients in batches while `hasTime` returns true. Returns true when the list is complete. */
export async function collectNewsletterRecipients(
  { db }: Pick<Services, 'db'>,
  { id, collectionId }: StartedNewsletterSend,
  hasTime: () => boolean,
  batchSize = collectBatchSize,
): Promise<boolean> {
  while (hasTime()) {
    const [batch] = await db.write<{ put: number }>(collectStatement, [id, collectionId, batchSize]);
    if (batch && batch.put > 0) continue;
    await db.write(
      `update newsletter_sends set started_at = $2,
         recipients = (select count(*) from newsletter_recipients where send_id = $1) where id = $1 and started_at is null`,
      [id, now()],
    );
    return true;
  }
  return false;
}
