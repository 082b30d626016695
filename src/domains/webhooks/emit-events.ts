/**
 * Transactional outbox: the statement that makes a change also inserts its events, with one delivery per subscribed endpoint.
 * A business without active endpoints gets no rows, and no change needs an extra round trip.
 */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.ts';
import type { WebhookEvent } from './webhook-event-types.ts';

export type WebhookEmitServices = Pick<Services, 'jobs' | 'log'>;

/**
 * SQL column: inserts the events of a parameter built by `toWebhookEventsParam` and returns the number of deliveries created. The check for
 * active endpoints comes first: most businesses have none, and the function call is skipped for them.
 */
export const buildEmitWebhookEventsColumnSql = (business: string, events: string, time: string) =>
  `case when exists (select from webhook_endpoints w where w.business_id = ${business} and w.status = 'ACTIVE')
     then insert_webhook_events(${business}, ${events}, ${time}) else 0 end as deliveries`;

export const toWebhookEventsParam = (...events: readonly WebhookEvent[]): string =>
  JSON.stringify(events.map((event) => ({ id: newId(), ...event })));

/** Enqueues the delivery job for new deliveries. After a failure, the minutely run of the job delivers them. */
export async function enqueueWebhookDeliveryJob(
  { jobs, log }: WebhookEmitServices,
  queries: QueryHandle,
  result: { deliveries: number } | undefined,
): Promise<void> {
  if (!result || result.deliveries === 0) return;
  await jobs
    .enqueue(queries, deliverWebhooksJob, {})
    .catch((error: unknown) =>
      log.warn(
        { err: error },
        'webhook delivery job not enqueued, deliveries wait for its next scheduled run',
      ),
    );
}

interface StatementWithWebhookEvents {
  /** SQL that changes one row and returns it, or changes nothing. */
  statement: string;
  params: readonly unknown[];
  businessId: string;
  events: readonly WebhookEvent[];
  /** SQL: a JSON object computed from the row `changed`, merged into the data of every event. */
  rowDataSql?: string;
}

/** Runs a statement and inserts its events in the same round trip; no events when no row changed. */
export async function runStatementAndEmitWebhookEvents<Row>(
  services: WebhookEmitServices,
  queries: QueryHandle,
  { statement, params, businessId, events, rowDataSql }: StatementWithWebhookEvents,
): Promise<Row[]> {
  if (events.length === 0) return queries.write<Row>(statement, params);
  const param = (index: number) => `$${params.length + index}`;
  const eventsSql = rowDataSql === undefined ? param(2) : withRowData(param(2), rowDataSql);
  const rows = await queries.write<Row & { deliveries: number }>(
    `with changed as (${statement}) select changed.*, ${buildEmitWebhookEventsColumnSql(param(1), eventsSql, param(3))} from changed`,
    [...params, businessId, toWebhookEventsParam(...events), now()],
  );
  await enqueueWebhookDeliveryJob(services, queries, rows[0]);
  return rows;
}

const withRowData = (events: string, rowDataSql: string) =>
  `(select json_agg(e || jsonb_build_object('data', e->'data' || ${rowDataSql})) from jsonb_array_elements(${events}::jsonb) e)`;

const announceStatement = `select ${buildEmitWebhookEventsColumnSql('$1', '$2', '$3')}`;

/** Inserts the events of a change that an earlier statement of the transaction `tx` has made. */
export async function emitWebhookEvents(
  services: WebhookEmitServices,
  tx: QueryHandle,
  businessId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const params = [businessId, toWebhookEventsParam(...events), now()];
  const [result] = await tx.write<{ deliveries: number }>(announceStatement, params);
  await enqueueWebhookDeliveryJob(services, tx, result);
}
