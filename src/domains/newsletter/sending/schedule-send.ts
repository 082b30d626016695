/** Schedules the send of an entry to all subscribers of its newsletter. An entry has one send; a repeated request returns it. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, takeAdvisoryLock, type UntypedRow } from '../../../db/index.ts';
import { AppError, notFoundError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { isNewsletter } from '../../collections/model.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { getOwnerCollectionId } from '../../entries/model.ts';
import { lockEntry } from '../../entries/write/lock-entry.ts';
import { isBusinessTrustedWithMail } from '../../orders/mail/business-trusted-with-mail.ts';
import { newsletterSendTable, type StoredNewsletterSend } from '../model.ts';
import type { SendEntryArgs } from '../schemas.ts';
import { notANewsletterError } from '../subscribe/subscribe-to-newsletter.ts';
import { sendNewsletterJob } from './deliver-newsletter.ts';

/** Daily quota of newsletter mails of a business that no customer has paid yet. */
const daySeconds = 86_400;

/** Recipients of the sends of the last 24 hours; sends that have not started count the current subscribers. */
const mailsOfDay = `select coalesce(sum(case when n.status = 'SCHEDULED'
    then (select count(*) from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE')
    else n.recipients end), 0)::int as mails
  from newsletter_sends n where n.business_id = $1 and n.created_at > $2`;

/** Call it after the insert of the send, in its transaction. The lock makes concurrent sends of a business count each other. */
async function assertWithinDailyMailQuota(ctx: Context, tx: QueryHandle, businessId: string): Promise<void> {
  if (await isBusinessTrustedWithMail(ctx, tx, businessId)) return;
  await takeAdvisoryLock(tx, `mail-quota:${businessId}`);
  const [row] = await tx.sql<{ mails: number }>(mailsOfDay, [businessId, now() - daySeconds]);
  const limit = ctx.config.quotas.unprovenMailsPerDay;
  if ((row?.mails ?? 0) > limit)
    throw new AppError(
      'RATE_LIMITED',
      `A business that has received no payment yet can send ${limit} newsletter mails in 24 hours.`,
      { headers: { 'Retry-After': String(daySeconds) } },
    );
}

export interface ScheduledNewsletterSend {
  sendId: string;
  scheduledAt: number;
  /** Number of recipients; before the send starts, the number of currently active subscribers. */
  recipients: number;
}

export const scheduleNewsletterSend = (ctx: Context, at: SendEntryArgs): Promise<ScheduledNewsletterSend> =>
  runIdempotent(ctx, 'sendEntry', at, (queries) => queries.transaction((tx) => schedule(ctx, tx, at)));

async function schedule(
  ctx: Context,
  tx: QueryHandle,
  { businessId, id, scheduledAt }: SendEntryArgs,
): Promise<ScheduledNewsletterSend> {
  const entry = await lockEntry(tx, businessId, id);
  if (!entry) throw notFoundError('Entry');
  const collectionId = getOwnerCollectionId(entry);
  const collection = collectionId
    ? await findCollectionWithoutVisibilityCheck(tx, businessId, collectionId)
    : undefined;
  if (!collection || !isNewsletter(collection)) throw notANewsletterError('owner');
  const time = now();
  const at = Math.max(scheduledAt ?? time, time);
  const send: StoredNewsletterSend = {
    id: newId(),
    businessId,
    collectionId: collection.id,
    entryId: entry.id,
    status: 'SCHEDULED',
    scheduledAt: at,
    recipients: 0,
    sent: 0,
    failed: 0,
    createdAt: time,
  };
  const [created] = await tx.write(
    `${newsletterSendTable.insert} on conflict (entry_id) do nothing returning 1`,
    newsletterSendTable.insertParams(send),
  );
  if (created) {
    await assertWithinDailyMailQuota(ctx, tx, businessId);
    await ctx.jobs.enqueue(
      tx,
      sendNewsletterJob,
      { sendId: send.id },
      { key: send.id, ...(at > time ? { startAt: at } : {}) },
    );
  }
  return loadReceipt(tx, entry.id);
}

const receipt = newsletterSendTable.selectFields('id', 'scheduledAt', 'recipients');
// A SCHEDULED send has no recipient rows yet: count the active subscribers.
const receiptStatement = `select ${receipt.columns}, case when n.status = 'SCHEDULED' then (
    select count(*)::int from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE'
  ) end as expected
  from ${newsletterSendTable.from} where n.entry_id = $1`;

async function loadReceipt(tx: QueryHandle, entryId: string): Promise<ScheduledNewsletterSend> {
  const [row] = await tx.sql<UntypedRow & { expected: number | null }>(receiptStatement, [entryId]);
  if (!row) throw notFoundError('Entry');
  const { id, scheduledAt, recipients } = receipt.read(row);
  return { sendId: id, scheduledAt, recipients: row.expected ?? recipients };
}
