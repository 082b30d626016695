/** How far a send is: its beginning, its numbers, its end. */

import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { now } from '../../../lib/time.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import { lockEntry } from '../../entries/read/find-entry.ts';
import { changeAndEmit } from '../../webhooks/emit-events.ts';
import { composeNewsletterMail } from '../mail/newsletter-template.ts';
import { type MailContent, newsletterSends, type StoredSend } from '../model.ts';

/** A send that has begun. */
export interface StartedSend extends Pick<StoredSend, 'id' | 'businessId' | 'collectionId' | 'entryId'> {
  content: MailContent;
}

/** The send if there is something left to do: with what it says, as of its beginning. `gathered` says whether its list is complete. */
export async function startSend(
  services: Services,
  sendId: string,
): Promise<{ send: StartedSend; gathered: boolean } | undefined> {
  const found = await findSend(services.db, sendId);
  if (!found || found.status === 'SENT') return undefined;
  if (found.content) return { send: openSend(found, found.content), gathered: found.startedAt !== undefined };
  const { businessId, collectionId, entryId } = found;
  return services.db.transaction(async (tx) => {
    // The entry before its send, as everywhere: whoever deletes it takes them in that order.
    const entry = await lockEntry(tx, businessId, entryId);
    const current = await findSend(tx, sendId, 'for update');
    const collection = await findCollectionUnrestricted(tx, businessId, collectionId);
    if (!entry || !current || !collection) return undefined;
    if (current.content)
      return { send: openSend(current, current.content), gathered: current.startedAt !== undefined };
    const content = composeNewsletterMail({
      entry,
      collection,
      businessName: await loadBusinessName(tx, businessId),
      publicUrl: services.config.publicUrl,
    });
    await tx.sql(
      `update newsletter_sends n set status = 'SENDING', content = $2::jsonb, recipients = (
         select count(*) from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE') where n.id = $1`,
      [sendId, JSON.stringify(content)],
    );
    return { send: openSend(current, content), gathered: false };
  });
}

const gatherAtOnce = 5000;

// Ids ascend, so whoever comes back goes on behind the last that is there.
const gatherStatement = `
  with last as (
    select r.subscription_id as id from newsletter_recipients r where r.send_id = $1 order by r.subscription_id desc limit 1
  ), put as (
    insert into newsletter_recipients (send_id, subscription_id)
    select $1, s.id from subscriptions s where s.collection_id = $2 and s.status = 'ACTIVE'
      and s.id > coalesce((select id from last), '00000000-0000-0000-0000-000000000000')
    order by s.id limit $3 on conflict do nothing returning 1
  ) select count(*)::int as put from put`;

/** Writes down who gets it, some thousand at a time, for as long as `goOn` says so. True when all are there. */
export async function collectRecipients(
  { db }: Pick<Services, 'db'>,
  { id, collectionId }: StartedSend,
  goOn: () => boolean,
  atOnce = gatherAtOnce,
): Promise<boolean> {
  while (goOn()) {
    const [batch] = await db.sql<{ put: number }>(gatherStatement, [id, collectionId, atOnce]);
    if (batch && batch.put > 0) continue;
    await db.sql(
      `update newsletter_sends set started_at = $2,
         recipients = (select count(*) from newsletter_recipients where send_id = $1) where id = $1 and started_at is null`,
      [id, now()],
    );
    return true;
  }
  return false;
}

async function findSend(queries: Queries, sendId: string, lock = ''): Promise<StoredSend | undefined> {
  const [row] = await queries.sql<TableRow>(
    `select ${newsletterSends.columns} from ${newsletterSends.from} where n.id = $1 ${lock}`,
    [sendId],
  );
  return row && newsletterSends.read(row);
}

const openSend = (
  { id, businessId, collectionId, entryId }: StoredSend,
  content: MailContent,
): StartedSend => ({
  id,
  businessId,
  collectionId,
  entryId,
  content,
});

export interface SendProgress {
  recipients: number;
  sent: number;
  failed: number;
  waiting: number;
  /** When the next of those who wait is free, in milliseconds. */
  nextAt: number;
}

/** SQL: the numbers of the sends whose recipients are `r`. */
export const sendProgressColumns = `
  count(*) filter (where r.status <> 'SKIPPED')::int as recipients,
  count(*) filter (where r.status = 'SENT')::int as sent,
  count(*) filter (where r.status = 'FAILED')::int as failed`;

export async function loadSendProgress({ db }: Pick<Services, 'db'>, sendId: string): Promise<SendProgress> {
  const [row] = await db.sql<SendProgress>(
    `select ${sendProgressColumns},
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
  { id, businessId, collectionId, entryId }: StartedSend,
  { recipients, sent, failed }: SendProgress,
): Promise<void> {
  const data = { sendId: id, businessId, collectionId, entryId, recipients, sent, failed };
  await changeAndEmit(services, services.db, {
    statement: `update newsletter_sends set status = 'SENT', recipients = $2, sent = $3, failed = $4, finished_at = $5
      where id = $1 and status = 'SENDING' returning id`,
    params: [id, recipients, sent, failed, now()],
    businessId,
    events: [{ type: 'newsletter.sent', data }],
  });
}
