/**
 * The outbox: events are written by the very statement that makes the change, together with one delivery for each
 * endpoint that wants them. Where nobody listens nothing is written, and no change costs a round trip more.
 */
import type { Queries } from '../../db/sql.ts';
import type { Services } from '../../graphql/context.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { WebhookEvent } from './events.ts';
import { deliverQueue } from './queue.ts';

export type Announcer = Pick<Services, 'jobs' | 'log'>;

/** SQL: `endpoint` wants events of `type` that happen in `business`. */
const listens = (endpoint: string, business: string, type: string) =>
  `${endpoint}.business_id = ${business} and ${endpoint}.status = 'ACTIVE'
   and ${endpoint}.events && array['*', split_part(${type}, '.', 1) || '.*', ${type}]`;

/** SQL: the id of a delivery follows from its event and endpoint, and sorts with the event's. */
const deliveryId = (event: string, endpoint: string) => {
  const hash = `md5(${event}::text || ${endpoint}::text)`;
  return `(left(${event}::text, 19) || '8' || substr(${hash}, 1, 3) || '-' || substr(${hash}, 4, 12))::uuid`;
};

/**
 * SQL: common table expressions that write the events in the parameters from `first` on (see `eventParams`) if
 * `condition` holds. The statement selects `deliveries` for `wake`. An endpoint that is deleted in the same moment is
 * passed over: the lock waits for that, where the foreign key would fail.
 */
export const eventTables = (first: number, condition = 'true') => {
  const [business, events, time] = [`$${first}::uuid`, `$${first + 1}::json`, `$${first + 2}::bigint`];
  return `announced as (
    insert into webhook_events (id, business_id, type, data, created_at)
    select (a.event->>'id')::uuid, ${business}, a.event->>'type', a.event->'data', ${time}
    from json_array_elements(${events}) as a(event)
    where ${condition} and exists (select 1 from webhook_endpoints w where ${listens('w', business, "(a.event->>'type')")})
    returning id, type
  ), addressed as (
    insert into webhook_deliveries (id, business_id, event_id, endpoint_id, next_attempt_at, created_at)
    select ${deliveryId('announced.id', 'w.id')}, ${business}, announced.id, w.id, ${time}, ${time}
    from announced join webhook_endpoints w on ${listens('w', business, 'announced.type')}
    for key share of w
    returning 1
  )`;
};

/** SQL: how many deliveries `eventTables` wrote. */
export const deliveries = '(select count(*)::int from addressed) as deliveries';

export const eventParams = (businessId: string, events: readonly WebhookEvent[]): unknown[] => [
  businessId,
  JSON.stringify(events.map((event) => ({ id: newId(), ...event }))),
  now(),
];

/** Has new deliveries sent soon. A failure, here or of the whole process, only makes them wait for the next sweep. */
export async function wake(
  { jobs, log }: Announcer,
  queries: Queries,
  written: { deliveries: number } | undefined,
): Promise<void> {
  if (!written || written.deliveries === 0) return;
  await jobs
    .enqueue(queries, deliverQueue, {})
    .catch((error: unknown) => log.warn({ err: error }, 'webhooks wait for the next sweep'));
}

export interface Change {
  /** Returns a row if it changes something. */
  statement: string;
  params: readonly unknown[];
  businessId: string;
  events: readonly WebhookEvent[];
}

/** Runs a statement and writes its events with it, if it changed something. */
export async function changeAndAnnounce<Row>(
  services: Announcer,
  queries: Queries,
  { statement, params, businessId, events }: Change,
): Promise<Row[]> {
  if (events.length === 0) return queries.sql<Row>(statement, params);
  const rows = await queries.sql<Row & { deliveries: number }>(
    `with changed as (${statement}), ${eventTables(params.length + 1, 'exists (select 1 from changed)')}
     select changed.*, ${deliveries} from changed`,
    [...params, ...eventParams(businessId, events)],
  );
  await wake(services, queries, rows[0]);
  return rows;
}

const announceStatement = `with ${eventTables(1)} select ${deliveries}`;

/** Writes events of a change that an earlier statement of the transaction `tx` has made. */
export async function announce(
  services: Announcer,
  tx: Queries,
  businessId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const [written] = await tx.sql<{ deliveries: number }>(announceStatement, eventParams(businessId, events));
  await wake(services, tx, written);
}
