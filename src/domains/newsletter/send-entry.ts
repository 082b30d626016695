/** Sends an entry to all subscribers of its newsletter, now or later. An entry is sent once: asking again finds that send. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { anyCollection } from '../collections/find-collection.ts';
import { isNewsletter } from '../collections/model.ts';
import { lockEntry } from '../entries/find-entry.ts';
import { collectionIdOf } from '../entries/model.ts';
import type { SendEntry } from './checks.ts';
import { sendJob } from './deliver.ts';
import { type StoredSend, sends } from './model.ts';
import { notANewsletter } from './subscribe.ts';

export interface SendReceipt {
  sendId: string;
  scheduledAt: number;
  /** Who would get it now. */
  recipients: number;
}

export const sendEntry = (ctx: Context, at: SendEntry): Promise<SendReceipt> =>
  once(ctx, 'sendEntry', at, (queries) => queries.transaction((tx) => schedule(ctx, tx, at)));

async function schedule(
  ctx: Context,
  tx: Queries,
  { businessId, id, scheduledAt }: SendEntry,
): Promise<SendReceipt> {
  const entry = await lockEntry(tx, businessId, id);
  if (!entry) throw notFound('Entry');
  const collectionId = collectionIdOf(entry);
  const collection = collectionId ? await anyCollection(tx, businessId, collectionId) : undefined;
  if (!collection || !isNewsletter(collection)) throw notANewsletter('owner');
  const time = now();
  const at = Math.max(scheduledAt ?? time, time);
  const send: StoredSend = {
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
  const [created] = await tx.sql(
    `${sends.insert} on conflict (entry_id) do nothing returning 1`,
    sends.insertParams(send),
  );
  if (created) {
    await ctx.jobs.enqueue(
      tx,
      sendJob,
      { sendId: send.id },
      { key: send.id, ...(at > time ? { startAt: at } : {}) },
    );
  }
  return receiptOf(tx, entry.id);
}

const receipt = sends.some('id', 'scheduledAt', 'recipients');
// Before it begins, its recipients are those who would get it now.
const receiptStatement = `select ${receipt.columns}, case when n.status = 'SCHEDULED' then (
    select count(*)::int from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE'
  ) end as expected
  from ${sends.from} where n.entry_id = $1`;

async function receiptOf(tx: Queries, entryId: string): Promise<SendReceipt> {
  const [row] = await tx.sql<Row & { expected: number | null }>(receiptStatement, [entryId]);
  if (!row) throw notFound('Entry');
  const { id, scheduledAt, recipients } = receipt.read(row);
  return { sendId: id, scheduledAt, recipients: row.expected ?? recipients };
}
