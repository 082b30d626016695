/** Sends what is due, side by side with any number of other processes: at least once, and no endpoint or business at the cost of the others. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import type { WebhookResponse } from '../../../ports/webhooks.ts';
import { computeDeliveryRetryDelay, parseRetryAfter, signWebhook, toExcerpt } from '../rules.ts';
import { decryptWebhookSecret } from '../secret-encryption.ts';
import {
  type ClaimedDelivery,
  claimDueDeliveries,
  clearEndpointFailing,
  disableWebhookEndpoint,
  type InFlightDelivery,
  markEndpointFailing,
  recordDeliveryOutcome,
} from './delivery-claims.ts';

/** A job gives way after this long, and what is left goes on in a job of its own. */
const sliceMs = 30_000;
/** While some are under way, others may become due. */
const lookEveryMs = 1_000;
const maxUnderWay = 32;
/** What is due later than this is found by the sweep of every minute. */
const sweepSeconds = 60;
const disabledAfterSeconds = 5 * 86_400;

export async function deliverDueWebhooks(services: Services): Promise<void> {
  const underWay = new Map<Promise<void>, InFlightDelivery>();
  const endsAt = performance.now() + sliceMs;
  const isOver = () => performance.now() >= endsAt;
  try {
    for (;;) {
      const room = isOver() ? 0 : maxUnderWay - underWay.size;
      // An endpoint gets its next share when it is done with the last one.
      const busy = [...underWay.values()];
      for (const claimed of room > 0 ? await claimDueDeliveries(services.db, busy, room) : []) {
        const work = deliver(services, claimed).finally(() => underWay.delete(work));
        underWay.set(work, claimed);
      }
      if (underWay.size > 0) await oneOf([...underWay.keys()]);
      // Endpoints that were busy when it was asked have not had their next share, though they may be done by now.
      else if (busy.length === 0) break;
    }
  } finally {
    await Promise.all(underWay.keys());
  }
  if (isOver()) await services.jobs.enqueue(services.db, deliverWebhooksJob, {});
}

/**
 * A nudge: the deliveries are in their own table. Every minute it also finds what nobody was nudged for. While one job
 * waits for the last slow answers, the other goes on.
 */
export const deliverWebhooksJob = defineJob('webhooks-deliver', noJobData, deliverDueWebhooks, {
  cron: '* * * * *',
  atStart: true,
  coalesce: true,
  retries: 0,
  timeout: 60,
  concurrency: 2,
});

/** Waits for the first to end, but not for long. */
async function oneOf(work: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lookEveryMs);
  });
  await Promise.race([...work, pause]);
  clearTimeout(timer);
}

/** Never rejects: a delivery that could not be settled is due again when its claim runs out. */
async function deliver(services: Services, claimed: ClaimedDelivery): Promise<void> {
  const began = performance.now();
  try {
    const answer = await attempt(services, claimed).catch((error: unknown) => failureOf(error));
    const durationMs = performance.now() - began;
    if (answer.error === undefined) await succeed(services, claimed, answer, durationMs);
    else await fail(services, claimed, answer, durationMs);
  } catch (error) {
    services.log.warn({ err: error, delivery: claimed.id }, 'webhook attempt not recorded');
  }
}

interface Answer extends Partial<WebhookResponse> {
  /** Why it does not count. */
  error?: string | undefined;
}

async function attempt({ webhooks, keys }: Services, claimed: ClaimedDelivery): Promise<Answer> {
  const { eventId, type, data, createdAt } = claimed;
  const timestamp = now();
  const secrets = secretsOf(claimed, timestamp).map((secret) => decryptWebhookSecret({ keys }, secret));
  // The same text at every attempt: the event does not change.
  const body = JSON.stringify({ type, timestamp: new Date(createdAt * 1000).toISOString(), data });
  const answer = await webhooks.post({
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
  return { ...answer, error: faultOf(answer.status) };
}

const secretsOf = (
  { secret, previousSecret, previousSecretUntil }: ClaimedDelivery,
  time: number,
): string[] =>
  previousSecret !== null && (previousSecretUntil ?? 0) > time ? [secret, previousSecret] : [secret];

function faultOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400
    ? `Answered ${status}; redirects are not followed.`
    : `Answered ${status}.`;
}

/** Several addresses that all failed make an error without a message. */
function failureOf(error: unknown): Answer {
  const { message, code } = error as { message?: string; code?: string };
  return { error: toExcerpt(message || code || 'No answer.') };
}

async function succeed({ db }: Services, claimed: ClaimedDelivery, answer: Answer, durationMs: number) {
  await recordDeliveryOutcome(db, claimed, { status: 'DELIVERED', ...shown(answer), durationMs });
  await clearEndpointFailing(db, claimed);
}

async function fail(
  { db, jobs, log }: Services,
  claimed: ClaimedDelivery,
  answer: Answer,
  durationMs: number,
) {
  const isGone = answer.status === 410;
  const { status = 0, retryAfter } = answer;
  const pause = isGone
    ? undefined
    : computeDeliveryRetryDelay(
        claimed.attempts - claimed.attemptsBefore,
        parseRetryAfter({ status, retryAfter }, Date.now()),
      );
  await recordDeliveryOutcome(db, claimed, {
    status: pause === undefined ? 'FAILED' : 'PENDING',
    ...shown(answer),
    durationMs,
    nextAttemptAt: pause === undefined ? undefined : now() + pause,
  });
  if (pause !== undefined && pause < sweepSeconds)
    await jobs.enqueue(db, deliverWebhooksJob, {}, { startAt: now() + pause });
  await markEndpointFailing(db, claimed);
  const hasFailedLong = claimed.failingSince !== null && now() - claimed.failingSince >= disabledAfterSeconds;
  if (!isGone && !hasFailedLong) return;
  const reason = isGone ? 'GONE' : 'FAILING';
  if (await disableWebhookEndpoint(db, claimed.endpointId, reason))
    log.warn({ endpoint: claimed.endpointId, reason }, 'webhook endpoint disabled');
}

const shown = ({ status, error, excerpt }: Answer) => ({
  statusCode: status,
  error,
  response: excerpt === undefined ? undefined : toExcerpt(excerpt),
});
