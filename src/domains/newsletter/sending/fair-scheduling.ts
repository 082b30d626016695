/** Fair scheduling of sends: the business that was served least recently comes first, and within it the send that was served least recently. */
import { buildWritableBusinessSql, type QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';

/** SQL: the send has started, or is due at the time `$1`. */
const isOpen = `(n.status = 'SENDING' or (n.status = 'SCHEDULED' and n.scheduled_at <= $1))`;

/** SQL: clock of the database, shared by all processes, in microseconds. */
const clock = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

// max(turn_at) includes finished sends: a business with many small sends gains no priority.
const claimStatement = `
  update newsletter_sends set turn_at = ${clock}
  where id = (
    select n.id from newsletter_sends n where ${isOpen} and n.paused_until <= $1 and ${buildWritableBusinessSql('n.business_id')}
    order by (select max(m.turn_at) from newsletter_sends m where m.business_id = n.business_id), n.turn_at, n.id
    limit 1 for update skip locked
  ) returning id`;

/** Claims the next send; `skip locked` keeps concurrent processes apart. Undefined when no send is due. */
export async function claimNextNewsletterSend(queries: QueryHandle): Promise<string | undefined> {
  const [next] = await queries.write<{ id: string }>(claimStatement, [now()]);
  return next?.id;
}

/** True also for a send that is not due yet: clocks differ between machines, so its job may start early. */
export async function isNewsletterSendUnfinished(queries: QueryHandle, sendId: string): Promise<boolean> {
  const rows = await queries.sql(`select 1 from newsletter_sends where id = $1 and status <> 'SENT'`, [
    sendId,
  ]);
  return rows.length > 0;
}

/** Excludes the send from scheduling until `until`, in seconds. */
export async function pauseNewsletterSend(
  queries: QueryHandle,
  sendId: string,
  until: number,
): Promise<void> {
  await queries.write('update newsletter_sends set paused_until = $2 where id = $1', [sendId, until]);
}
