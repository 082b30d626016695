/** Whose newsletter goes on: that of the business which has waited longest for a turn, and of its sends the one that has. */
import type { Queries } from '../../db/sql.ts';
import { now } from '../../lib/time.ts';

/** What has begun, or is due at the moment in this parameter. */
const isOpen = (time: string) =>
  `(n.status = 'SENDING' or (n.status = 'SCHEDULED' and n.scheduled_at <= ${time}))`;

/** SQL: the clock all processes share, in microseconds. */
const clock = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

// The turns of sends that are over count for their business, too: many small ones are no reason to come first.
const takeStatement = `
  update newsletter_sends set turn_at = ${clock}
  where id = (
    select n.id from newsletter_sends n where ${isOpen('$1')} and n.turn_at <= ${clock}
    order by (select coalesce(max(m.turn_at), 0) from newsletter_sends m where m.business_id = n.business_id and m.turn_at <= ${clock}),
      n.turn_at, n.id
    limit 1 for update skip locked
  ) returning id`;

/** Takes the next turn, side by side with other processes. Undefined when no send waits for one. */
export async function takeTurn(queries: Queries): Promise<string | undefined> {
  const [next] = await queries.sql<{ id: string }>(takeStatement, [now()]);
  return next?.id;
}

export async function waitsForTurn(queries: Queries, sendId: string): Promise<boolean> {
  const found = await queries.sql(`select 1 from newsletter_sends n where n.id = $2 and ${isOpen('$1')}`, [
    now(),
    sendId,
  ]);
  return found.length > 0;
}

/** No turn of another brings it back before this moment, in seconds. */
export async function pauseTurns(queries: Queries, sendId: string, until: number): Promise<void> {
  await queries.sql('update newsletter_sends set turn_at = $2::bigint * 1000000 where id = $1', [
    sendId,
    until,
  ]);
}
