/** Delivers due webhooks, in parallel with other processes: at least once, with fair shares per endpoint and business. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import type { WebhookResponse } from '../../../ports/webhooks.ts';
import { decryptWebhookSecret } from '../encrypt-webhook-secrets.ts';
import {
  computeWebhookRetryDelaySeconds,
  describeWebhookStatusError,
  parseRetryAfterSeconds,
  signWebhook,
  toPrintableExcerpt,
} from '../url-signature-and-retry-rules.ts';
import {
  type ClaimedWebhookDelivery,
  claimDueWebhookDeliveries,
  clearWebhookEndpointFailingSince,
  disableWebhookEndpoint,
  type InFlightWebhookDelivery,
  markWebhookEndpointFailing,
  recordWebhookDeliveryOutcome,
} from './claim-deliveries-and-record-outcomes.ts';
import { onServerOfBusiness } from './record-outcome-after-move.ts';

/** A job stops after this time and enqueues its successor. */
const sliceMs = 30_000;
/** Interval of queries for newly due deliveries while others are in flight. */
const pollIntervalMs = 1_000;
const maxInFlight = 32;
/** Retries due later than this are found by the minutely run of the job. */
const cronIntervalSeconds = 60;
const disableAfterSeconds = 5 * 86_400;

export async function deliverDueWebhooks(services: Services): Promise<void> {
  const inFlight = new Map<Promise<void>, InFlightWebhookDelivery>();
  const endsAt = performance.now() + sliceMs;
  const isOver = () => performance.now() >= endsAt;
  try {
    for (;;) {
      const room = isOver() ? 0 : maxInFlight - inFlight.size;
      // An endpoint gets its next share after its current deliveries have finished.
      const busy = [...inFlight.values()];
      for (const claimed of room > 0 ? await claimDueWebhookDeliveries(services.db, busy, room) : []) {
        const work = deliver(services, claimed).finally(() => inFlight.delete(work));
        inFlight.set(work, claimed);
      }
      if (inFlight.size > 0) await firstToSettle([...inFlight.keys()]);
      // Endpoints that were busy during the claim query may have more due deliveries: query again before stopping.
      else if (busy.length === 0) break;
    }
  } finally {
    await Promise.all(inFlight.keys());
  }
  if (isOver()) await services.jobs.enqueue(services.db, deliverWebhooksJob, {});
}

/**
 * Carries no payload: the deliveries are in their own table. The minutely run finds deliveries whose job was lost. Concurrency 2: while
 * one job waits for slow responses, the other one continues.
 */
export const deliverWebhooksJob = defineJob('webhooks-deliver', noJobDataSchema, deliverDueWebhooks, {
  cron: '* * * * *',
  atStart: true,
  coalesce: true,
  retries: 0,
  timeout: 60,
  concurrency: 2,
});

/** Waits for the first promise to settle, at most `pollIntervalMs`. */
async function firstToSettle(work: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, pollIntervalMs);
  });
  await Promise.race([...work, pause]);
  clearTimeout(timer);
}

/** Never rejects: a delivery whose outcome could not be recorded is due again when its lease expires. */
async function deliver(services: Services, claimed: ClaimedWebhookDelivery): Promise<void> {
  const startedAt = performance.now();
  try {
    const result = await attempt(services, claimed).catch((error: unknown) => toFailure(error));
    const durationMs = performance.now() - startedAt;
    const record = result.error === undefined ? recordSuccess : recordFailure;
    await onServerOfBusiness(services, claimed.businessId, (current) =>
      record(current, claimed, result, durationMs),
    );
  } catch (error) {
    services.log.warn(
      { err: error, deliveryId: claimed.id },
      'webhook delivery outcome not recorded, will be delivered again',
    );
  }
}

interface AttemptResult extends Partial<WebhookResponse> {
  /** Reason of the failure; undefined after a success. */
  error?: string | undefined;
}

async function attempt(
  { webhooks, keys }: Services,
  claimed: ClaimedWebhookDelivery,
): Promise<AttemptResult> {
  const { eventId, type, data, createdAt } = claimed;
  const timestamp = now();
  const secrets = secretsOf(claimed, timestamp).map((secret) => decryptWebhookSecret({ keys }, secret));
  // The body is identical in every attempt: it depends only on the event.
  const body = JSON.stringify({ type, timestamp: new Date(createdAt * 1000).toISOString(), data });
  const response = await webhooks.post({
    url: claimed.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Duet',
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secrets, eventId, timestamp, body),
    },
    body,
  });
  return { ...response, error: describeWebhookStatusError(response.status) };
}

const secretsOf = (
  { secret, previousSecret, previousSecretUntil }: ClaimedWebhookDelivery,
  time: number,
): string[] =>
  previousSecret !== null && (previousSecretUntil ?? 0) > time ? [secret, previousSecret] : [secret];

/** An AggregateError of several failed addresses has no message, only a code. */
function toFailure(error: unknown): AttemptResult {
  const { message, code } = error as { message?: string; code?: string };
  return { error: toPrintableExcerpt(message || code || 'No response.') };
}

async function recordSuccess(
  { db }: Services,
  claimed: ClaimedWebhookDelivery,
  result: AttemptResult,
  durationMs: number,
) {
  await recordWebhookDeliveryOutcome(db, claimed, {
    status: 'DELIVERED',
    ...outcomeFields(result),
    durationMs,
  });
  await clearWebhookEndpointFailingSince(db, claimed);
}

async function recordFailure(
  { db, jobs, log }: Services,
  claimed: ClaimedWebhookDelivery,
  result: AttemptResult,
  durationMs: number,
) {
  const isGone = result.status === 410;
  const { status = 0, retryAfter } = result;
  const delay = isGone
    ? undefined
    : computeWebhookRetryDelaySeconds(
        claimed.attempts - claimed.attemptsBefore,
        parseRetryAfterSeconds({ status, retryAfter }, Date.now()),
      );
  await recordWebhookDeliveryOutcome(db, claimed, {
    status: delay === undefined ? 'FAILED' : 'PENDING',
    ...outcomeFields(result),
    durationMs,
    nextAttemptAt: delay === undefined ? undefined : now() + delay,
  });
  if (delay !== undefined && delay < cronIntervalSeconds)
    await jobs.enqueue(db, deliverWebhooksJob, {}, { startAt: now() + delay });
  await markWebhookEndpointFailing(db, claimed);
  const hasFailedLong = claimed.failingSince !== null && now() - claimed.failingSince >= disableAfterSeconds;
  if (!isGone && !hasFailedLong) return;
  const reason = isGone ? 'GONE' : 'FAILING';
  if (await disableWebhookEndpoint(db, claimed.endpointId, reason))
    log.warn({ endpointId: claimed.endpointId, reason }, 'webhook endpoint disabled');
}

const outcomeFields = ({ status, error, excerpt }: AttemptResult) => ({
  statusCode: status,
  error,
  response: excerpt === undefined ? undefined : toPrintableExcerpt(excerpt),
});
