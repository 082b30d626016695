/** Sends an entry to all subscribers of its newsletter, now or later. An entry is sent once: asking again finds that send. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
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
  const [created] = await tx.sql<{ id: string }>(
    `insert into newsletter_sends (id, business_id, collection_id, entry_id, status, scheduled_at, created_at)
       values ($1, $2, $3, $4, 'SCHEDULED', $5, $6) on conflict (entry_id) do nothing returning id`,
    [newId(), businessId, collection.id, entry.id, at, time],
  );
  if (created) {
    await ctx.jobs.enqueue(
      tx,
      sendJob,
      { sendId: created.id },
      { key: created.id, ...(at > time ? { startAt: at } : {}) },
    );
  }
  const [send] = await tx.sql<SendReceipt>(
    `select n.id as "sendId", n.scheduled_at as "scheduledAt",
         case when n.status = 'SCHEDULED'
           then (select count(*)::int from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE')
           else n.recipients end as recipients
       from newsletter_sends n where n.entry_id = $1`,
    [entry.id],
  );
  if (!send) throw notFound('Entry');
  return send;
}
