/** Starts a send, which fixes its content, and finishes it with its final counts. */
import type { Services } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { loadBusinessName } from '../../businesses/manage-businesses.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { lockEntry } from '../../entries/write/lock-entry.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { composeNewsletterMail } from '../mail/compose-newsletter-mail.ts';
import { type NewsletterMailContent, newsletterSendTable, type StoredNewsletterSend } from '../model.ts';
import type { NewsletterSendProgress } from './load-send-progress.ts';

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

async function findSend(
  queries: QueryHandle,
  sendId: string,
  lock = '',
): Promise<StoredNewsletterSend | undefined> {
  const [row] = await queries.sql<UntypedRow>(
    `select ${newsletterSendTable.columns} from ${newsletterSendTable.from} where n.id = $1 ${lock}`,
    [sendId],
  );
  return row && newsletterSendTable.read(row);
}

const openSend = (
  { id, businessId, collectionId, entryId }: StoredNewsletterSend,
  content: NewsletterMailContent,
): StartedNewsletterSend => ({ id, businessId, collectionId, entryId, content });

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
