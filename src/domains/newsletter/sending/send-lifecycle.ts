/** Lifecycle of a send: start, collection of recipients, progress counts and completion. */

import type { Services } from '../../../context.ts';
import type { QueryHandle, TableRow } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { loadBusinessName } from '../../businesses/manage-businesses.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-collection.ts';
import { lockEntry } from '../../entries/read/find-entry.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { composeNewsletterMail } from '../mail/compose-newsletter-mail.ts';
import { type NewsletterMailContent, newsletterSendTable, type StoredNewsletterSend } from '../model.ts';

/** A send whose content is fixed. */
export interface StartedNewsletterSend
  extends Pick<StoredNewsletterSend, 'id' | 'businessId' | 'collectionId' | 'entryId'> {
  content: NewsletterMailContent;
}

/** Starts the send or continues it, with the content as of its start. Undefined when it is finished or its entry was deleted. `isCollected`: the recipient list is complete. */
export async function startNewsletterSend(
  services: Services,
  sendId: string,
): Promise<{ send: StartedNewsletterSend; isCollected: boolean } | undefined> {
  const existing = await findSend(services.db, sendId);
  if (!existing || existing.status === 'SENT') return undefined;
  if (existing.content)
    return { send: openSend(existing, existing.content), isCollected: existing.startedAt !== undefined };
  const { businessId, collectionId, entryId } = existing;
  return services.db.transaction(async (tx) => {
    // Lock order: entry, then send (same as deleteEntry).
    const entry = await lockEntry(tx, businessId, entryId);
    const current = await findSend(tx, sendId, 'for update');
    const collection = await findCollectionWithoutVisibilityCheck(tx, businessId, collectionId);
    if (!entry || !current || !collection) return undefined;
    if (current.content)
      return { send: openSend(current, current.content), isCollected: current.startedAt !== undefined };
    const content = composeNewsletterMail({
      entry,
      collection,
      businessName: await loadBusinessName(tx, businessId),
      publicUrl: services.config.publicUrl,
    });
    await tx.write(
      `update newsletter_sends n set status = 'SENDING', content = $2::jsonb, recipients = (
         select count(*) from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE') where n.id = $1`,
      [sendId, JSON.stringify(content)],
    );
    return { send: openSend(current, content), isCollected: false };
  });
}

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

async function findSend(
  queries: QueryHandle,
  sendId: string,
  lock = '',
): Promise<StoredNewsletterSend | undefined> {
  const [row] = await queries.sql<TableRow>(
    `select ${newsletterSendTable.columns} from ${newsletterSendTable.from} where n.id = $1 ${lock}`,
    [sendId],
  );
  return row && newsletterSendTable.read(row);
}

const openSend = (
  { id, businessId, collectionId, entryId }: StoredNewsletterSend,
  content: NewsletterMailContent,
): StartedNewsletterSend => ({
  id,
  businessId,
  collectionId,
  entryId,
  content,
});

export interface NewsletterSendProgress {
  recipients: number;
  sent: number;
  failed: number;
  waiting: number;
  /** Earliest time at which a waiting recipient can be claimed, in milliseconds; 0 when none waits. */
  nextAt: number;
}

/** SQL: counts over the recipients `r` of a send. */
export const newsletterSendCountColumnsSql = `
  count(*) filter (where r.status <> 'SKIPPED')::int as recipients,
  count(*) filter (where r.status = 'SENT')::int as sent,
  count(*) filter (where r.status = 'FAILED')::int as failed`;

export async function loadNewsletterSendProgress(
  { db }: Pick<Services, 'db'>,
  sendId: string,
): Promise<NewsletterSendProgress> {
  const [row] = await db.sql<NewsletterSendProgress>(
    `select ${newsletterSendCountColumnsSql},
       count(*) filter (where r.status = 'WAITING')::int as waiting,
       coalesce(min(r.free_at) filter (where r.status = 'WAITING'), 0) as "nextAt"
     from newsletter_recipients r where r.send_id = $1`,
    [sendId],
  );
  return row ?? { recipients: 0, sent: 0, failed: 0, waiting: 0, nextAt: 0 };
}

/** Stores the final counts and emits newsletter.sent. */
export async function finishNewsletterSend(
  services: Services,
  { id, businessId, collectionId, entryId }: StartedNewsletterSend,
  { recipients, sent, failed }: NewsletterSendProgress,
): Promise<void> {
  const data = { sendId: id, businessId, collectionId, entryId, recipients, sent, failed };
  await runStatementAndEmitWebhookEvents(services, services.db, {
    statement: `update newsletter_sends set status = 'SENT', recipients = $2, sent = $3, failed = $4, finished_at = $5
      where id = $1 and status = 'SENDING' returning id`,
    params: [id, recipients, sent, failed, now()],
    businessId,
    events: [{ type: 'newsletter.sent', data }],
  });
}
