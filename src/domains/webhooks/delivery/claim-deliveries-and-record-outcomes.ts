/** Queue of webhook deliveries in the table webhook_deliveries: workers claim due deliveries and record their outcome. */
import { buildWritableBusinessSql, type QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import type { WebhookDeliveryStatus, WebhookEndpointDisabledReason } from '../model.ts';

export interface ClaimedWebhookDelivery {
  id: string;
  endpointId: string;
  businessId: string;
  eventId: string;
  type: string;
  data: unknown;
  createdAt: number;
  /** Number of attempts, including this one. */
  attempts: number;
  attemptsBefore: number;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: number | null;
  failingSince: number | null;
}

/** Lease of a claim: when the worker dies, another one takes over after this many seconds. Longer than any request. */
const leaseSeconds = 60;
/** Deliveries per endpoint and claim, so that a slow endpoint does not block others; one while the endpoint is failing. */
const endpointShare = 5;
/** Deliveries in flight per business, so that one business does not occupy all slots. */
const businessShare = 16;

const claimStatement = `
  update webhook_deliveries d set attempts = d.attempts + 1, next_attempt_at = $1::bigint + ${leaseSeconds}
  from (
    select id from (
      select due.id, due.next_attempt_at, coalesce(cardinality(array_positions($4::uuid[], o.business_id)), 0)
        + row_number() over (partition by o.business_id order by due.next_attempt_at, due.id) as turn
      from webhook_endpoints o cross join lateral (
        select q.id, q.next_attempt_at from webhook_deliveries q
        where q.endpoint_id = o.id and q.status = 'PENDING' and q.next_attempt_at <= $1
        order by q.next_attempt_at, q.id limit case when o.failing_since is null then ${endpointShare} else 1 end
        for update skip locked
      ) due
      where o.status = 'ACTIVE' and o.id <> all($2::uuid[]) and ${buildWritableBusinessSql('o.business_id')}
    ) waiting
    where turn <= ${businessShare} order by turn, next_attempt_at, id limit $3
  ) free, webhook_events e, webhook_endpoints w
  where d.id = free.id and e.id = d.event_id and w.id = d.endpoint_id
  returning d.id, d.endpoint_id as "endpointId", w.business_id as "businessId", d.event_id as "eventId", e.type, e.data, e.created_at as "createdAt", d.attempts,
    d.attempts_before as "attemptsBefore", w.url, w.secret, w.previous_secret as "previousSecret",
    w.previous_secret_until as "previousSecretUntil", w.failing_since as "failingSince"`;

export type InFlightWebhookDelivery = Pick<ClaimedWebhookDelivery, 'endpointId' | 'businessId'>;

/** Claims at most `limit` due deliveries. Skips endpoints with deliveries in flight and prefers businesses with the fewest in flight. */
export const claimDueWebhookDeliveries = (
  queries: QueryHandle,
  inFlight: readonly InFlightWebhookDelivery[],
  limit: number,
): Promise<ClaimedWebhookDelivery[]> =>
  queries.write<ClaimedWebhookDelivery>(claimStatement, [
    now(),
    [...new Set(inFlight.map(({ endpointId }) => endpointId))],
    limit,
    inFlight.map(({ businessId }) => businessId),
  ]);

interface WebhookDeliveryOutcome {
  status: WebhookDeliveryStatus;
  statusCode?: number | undefined;
  error?: string | undefined;
  response?: string | undefined;
  durationMs: number;
  /** Time of the next attempt, in seconds; undefined when there is none. */
  nextAttemptAt?: number | undefined;
}

/** Does nothing when another worker has attempted the delivery since. */
export async function recordWebhookDeliveryOutcome(
  queries: QueryHandle,
  claimed: ClaimedWebhookDelivery,
  outcome: WebhookDeliveryOutcome,
): Promise<void> {
  const time = now();
  await queries.write(
    `update webhook_deliveries set status = $3::"WebhookDeliveryStatus", last_status_code = $4, last_error = $5, last_response = $6,
       last_duration_ms = $7, next_attempt_at = coalesce($8, next_attempt_at), last_attempt_at = $9,
       delivered_at = case when $3 = 'DELIVERED' then $9::bigint end
     where id = $1 and attempts = $2 and status = 'PENDING'`,
    [
      claimed.id,
      claimed.attempts,
      outcome.status,
      outcome.statusCode ?? null,
      outcome.error ?? null,
      outcome.response ?? null,
      Math.round(outcome.durationMs),
      outcome.nextAttemptAt ?? null,
      time,
    ],
  );
}

export async function clearWebhookEndpointFailingSince(
  queries: QueryHandle,
  { endpointId, failingSince }: ClaimedWebhookDelivery,
): Promise<void> {
  if (failingSince === null) return;
  await queries.write('update webhook_endpoints set failing_since = null where id = $1', [endpointId]);
}

export async function markWebhookEndpointFailing(
  queries: QueryHandle,
  { endpointId, failingSince }: ClaimedWebhookDelivery,
): Promise<void> {
  if (failingSince !== null) return;
  await queries.write(
    'update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is null',
    [endpointId, now()],
  );
}

/** Pending deliveries stay and resume when the endpoint is enabled again. Returns false when it was already disabled. */
export async function disableWebhookEndpoint(
  queries: QueryHandle,
  endpointId: string,
  reason: WebhookEndpointDisabledReason,
): Promise<boolean> {
  const disabled = await queries.write(
    `update webhook_endpoints set status = 'DISABLED', disabled_reason = $2::"WebhookDisabledReason",
       version = version + 1, updated_at = $3
     where id = $1 and status = 'ACTIVE' returning 1`,
    [endpointId, reason, now()],
  );
  return disabled.length > 0;
}
