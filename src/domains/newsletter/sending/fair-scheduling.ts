/** Whose newsletter goes on: that of the business which has waited longest for a turn, and of its sends the one that has. */
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';

/** What has begun, or is due at the moment in the first parameter. */
const isOpen = `(n.status = 'SENDING' or (n.status = 'SCHEDULED' and n.scheduled_at <= $1))`;

/** SQL: the clock all processes share, in microseconds. */
const clock = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

// The turns of sends that are over count for their business, too: many small ones are no reason to come first.
const takeStatement = `
  update newsletter_sends set turn_at = ${clock}
  where id = (
    select n.id from newsletter_sends n where ${isOpen} and n.paused_until <= $1
    order by (select max(m.turn_at) from newsletter_sends m where m.business_id = n.business_id), n.turn_at, n.id
    limit 1 for update skip locked
  ) returning id`;

/** Takes the next turn, side by side with other processes. Undefined when no send waits for one. */
export async function claimNextSend(queries: Queries): Promise<string | undefined> {
  const [next] = await queries.sql<{ id: string }>(takeStatement, [now()]);
  return next?.id;
}

/** Due or not: its job may come a moment before its time, by the clock of another machine. */
export async function isSendUnfinished(queries: Queries, sendId: string): Promise<boolean> {
  const found = await queries.sql(`select 1 from newsletter_sends where id = $1 and status <> 'SENT'`, [
    sendId,
  ]);
  return found.length > 0;
}

/** No turn of another brings it back before this moment, in seconds. */
export async function pauseSend(queries: Queries, sendId: string, until: number): Promise<void> {
  await queries.sql('update newsletter_sends set paused_until = $2 where id = $1', [sendId, until]);
}
