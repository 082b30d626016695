/** How far a send is: its beginning, its numbers, its end. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { now } from '../../lib/time.ts';
import { businessName } from '../businesses/businesses.ts';
import { anyCollection } from '../collections/find-collection.ts';
import { lockEntry } from '../entries/find-entry.ts';
import { changeAndAnnounce } from '../webhooks/announce.ts';
import type { SendStatus } from './model.ts';
import { composeMail, type MailContent } from './template.ts';

export interface OpenSend {
  id: string;
  businessId: string;
  collectionId: string;
  entryId: string;
  content: MailContent;
}

interface SendRow {
  id: string;
  business_id: string;
  collection_id: string;
  entry_id: string;
  status: SendStatus;
  content: MailContent | null;
}

/** The send if there is something left to do: with what it says and who gets it, both as of its beginning. */
export async function beginSend(services: Services, sendId: string): Promise<OpenSend | undefined> {
  const row = await findSend(services.db, sendId);
  if (!row || row.status === 'SENT') return undefined;
  if (row.content) return openSend(row, row.content);
  return services.db.transaction(async (tx) => {
    // The entry before its send, as everywhere: whoever deletes it takes them in that order.
    const entry = await lockEntry(tx, row.business_id, row.entry_id);
    const current = await findSend(tx, sendId, 'for update');
    const collection = await anyCollection(tx, row.business_id, row.collection_id);
    if (!entry || !current || !collection) return undefined;
    if (current.content) return openSend(current, current.content);
    const content = composeMail({
      entry,
      collection,
      businessName: await businessName(tx, row.business_id),
      publicUrl: services.config.publicUrl,
    });
    await tx.sql(
      `insert into newsletter_recipients (send_id, subscription_id)
       select $1, s.id from subscriptions s where s.collection_id = $2 and s.status = 'ACTIVE' on conflict do nothing`,
      [sendId, row.collection_id],
    );
    await tx.sql(
      `update newsletter_sends set status = 'SENDING', content = $2::jsonb, started_at = $3,
         recipients = (select count(*) from newsletter_recipients where send_id = $1) where id = $1`,
      [sendId, JSON.stringify(content), now()],
    );
    return openSend(current, content);
  });
}

async function findSend(queries: Queries, sendId: string, lock = ''): Promise<SendRow | undefined> {
  const [row] = await queries.sql<SendRow>(
    `select id, business_id, collection_id, entry_id, status, content from newsletter_sends where id = $1 ${lock}`,
    [sendId],
  );
  return row;
}

const openSend = (row: SendRow, content: MailContent): OpenSend => ({
  id: row.id,
  businessId: row.business_id,
  collectionId: row.collection_id,
  entryId: row.entry_id,
  content,
});

export interface Progress {
  recipients: number;
  sent: number;
  failed: number;
  waiting: number;
  /** When the next of those who wait is free, in milliseconds. */
  nextAt: number;
}

/** SQL: the numbers of the sends whose recipients are `r`. */
export const progressColumns = `
  count(*) filter (where r.status <> 'SKIPPED')::int as recipients,
  count(*) filter (where r.status = 'SENT')::int as sent,
  count(*) filter (where r.status = 'FAILED')::int as failed`;

export async function sendProgress({ db }: Pick<Services, 'db'>, sendId: string): Promise<Progress> {
  const [row] = await db.sql<Progress>(
    `select ${progressColumns},
       count(*) filter (where r.status = 'WAITING')::int as waiting,
       coalesce(min(r.free_at) filter (where r.status = 'WAITING'), 0) as "nextAt"
     from newsletter_recipients r where r.send_id = $1`,
    [sendId],
  );
  return row ?? { recipients: 0, sent: 0, failed: 0, waiting: 0, nextAt: 0 };
}

/** When nobody waits any more, the numbers stay with the send. */
export async function finishSend(
  services: Services,
  { id, businessId, collectionId, entryId }: OpenSend,
  { recipients, sent, failed }: Progress,
): Promise<void> {
  const data = { sendId: id, businessId, collectionId, entryId, recipients, sent, failed };
  await changeAndAnnounce(services, services.db, {
    statement: `update newsletter_sends set status = 'SENT', recipients = $2, sent = $3, failed = $4, finished_at = $5
      where id = $1 and status = 'SENDING' returning id`,
    params: [id, recipients, sent, failed, now()],
    businessId,
    events: [{ type: 'newsletter.sent', data }],
  });
}
