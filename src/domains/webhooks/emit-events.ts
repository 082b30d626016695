/**
 * The outbox: events are written by the very statement that makes the change, together with one delivery for each
 * endpoint that wants them. Where nobody listens nothing is written, and no change costs a round trip more.
 */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.ts';
import type { WebhookEvent } from './events.ts';

export type EmitServices = Pick<Services, 'jobs' | 'log'>;

/**
 * SQL: writes the events in a parameter made by `eventsParam`, and says how many deliveries that made. Whether anybody listens is asked
 * first: mostly nobody does, and then there is nothing to call the function for.
 */
export const emitEventsColumn = (business: string, events: string, time: string) =>
  `case when exists (select from webhook_endpoints w where w.business_id = ${business} and w.status = 'ACTIVE')
     then announce_webhook_events(${business}, ${events}, ${time}) else 0 end as deliveries`;

export const toEventsParam = (...events: readonly WebhookEvent[]): string =>
  JSON.stringify(events.map((event) => ({ id: newId(), ...event })));

/** Has new deliveries sent soon. A failure, here or of the whole process, only makes them wait for the next sweep. */
export async function wakeDeliveryJob(
  { jobs, log }: EmitServices,
  queries: Queries,
  written: { deliveries: number } | undefined,
): Promise<void> {
  if (!written || written.deliveries === 0) return;
  await jobs
    .enqueue(queries, deliverWebhooksJob, {})
    .catch((error: unknown) => log.warn({ err: error }, 'webhooks wait for the next sweep'));
}

export interface ChangeWithEvents {
  /** Changes one row and returns it, or changes nothing. */
  statement: string;
  params: readonly unknown[];
  businessId: string;
  events: readonly WebhookEvent[];
  /** SQL: an object with what only the row in `changed` tells; every event gets it. */
  rowDataSql?: string;
}

/** Runs a statement and writes its events with it, if it changed something. */
export async function changeAndEmit<Row>(
  services: EmitServices,
  queries: Queries,
  { statement, params, businessId, events, rowDataSql: facts }: ChangeWithEvents,
): Promise<Row[]> {
  if (events.length === 0) return queries.sql<Row>(statement, params);
  const param = (index: number) => `$${params.length + index}`;
  const told = facts === undefined ? param(2) : withFacts(param(2), facts);
  const rows = await queries.sql<Row & { deliveries: number }>(
    `with changed as (${statement}) select changed.*, ${emitEventsColumn(param(1), told, param(3))} from changed`,
    [...params, businessId, toEventsParam(...events), now()],
  );
  await wakeDeliveryJob(services, queries, rows[0]);
  return rows;
}

const withFacts = (events: string, facts: string) =>
  `(select json_agg(e || jsonb_build_object('data', e->'data' || ${facts})) from jsonb_array_elements(${events}::jsonb) e)`;

const announceStatement = `select ${emitEventsColumn('$1', '$2', '$3')}`;

/** Writes events of a change that an earlier statement of the transaction `tx` has made. */
export async function emitWebhookEvents(
  services: EmitServices,
  tx: Queries,
  businessId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const params = [businessId, toEventsParam(...events), now()];
  const [written] = await tx.sql<{ deliveries: number }>(announceStatement, params);
  await wakeDeliveryJob(services, tx, written);
}
