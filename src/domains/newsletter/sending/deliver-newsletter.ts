/** Sends newsletters in time slices, in parallel with other processes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob } from '../../../ports/jobs.ts';
import { MailRejectedError } from '../../../ports/mail.ts';
import { personaliseNewsletterMail } from '../mail/compose-newsletter-mail.ts';
import { buildUnsubscribeUrl, createUnsubscribeToken } from '../mail/mail-tokens.ts';
import { type ClaimedNewsletterRecipient, createNewsletterRecipientClaims } from './claim-recipients.ts';
import { collectNewsletterRecipients } from './collect-recipients.ts';
import {
  claimNextNewsletterSend,
  isNewsletterSendUnfinished,
  pauseNewsletterSend,
} from './fair-scheduling.ts';
import { loadNewsletterSendProgress, type NewsletterSendProgress } from './load-send-progress.ts';
import {
  finishNewsletterSend,
  type StartedNewsletterSend,
  startNewsletterSend,
} from './start-and-finish-send.ts';

/** Each call waits for the next slot; slots are spread evenly over the second. */
export function createSendRateLimiter(perSecond: number): () => Promise<void> {
  const step = 1000 / perSecond;
  let slot = performance.now();
  return async () => {
    const time = performance.now();
    // Unused slots expire, so that no burst follows an idle time.
    slot = Math.max(slot + step, time);
    if (slot > time) await sleep(slot - time);
  };
}

/** A job stops after this time and enqueues its successor, so that other sends get a slice. */
const sliceMs = 15_000;
const reportEveryMs = 5_000;
/** Pause of a send after a series of temporary failures: the mail server is down, so recipients do not use up their attempts. */
const outagePauseSeconds = 30;

async function deliver(services: Services, sendId: string): Promise<void> {
  const started = await startNewsletterSend(services, sendId);
  if (!started) return;
  const { send } = started;
  const endsAt = performance.now() + sliceMs;
  const hasTime = () => performance.now() < endsAt;
  if (!started.isCollected && !(await collectNewsletterRecipients(services, send, hasTime))) {
    await services.jobs.enqueue(services.db, sendNewsletterJob, { sendId }, { key: sendId });
    return;
  }
  const isOutage = await sendSlice(services, send);
  const progress = await loadNewsletterSendProgress(services, send.id);
  logProgress(services, send, progress);
  if (progress.waiting === 0) return finishNewsletterSend(services, send, progress);
  // The remaining recipients are claimed by another process or wait for a retry: a job must come back for them.
  const startAt = Math.max(now() + (isOutage ? outagePauseSeconds : 0), Math.ceil(progress.nextAt / 1000));
  if (startAt > now()) await pauseNewsletterSend(services.db, sendId, startAt);
  await services.jobs.enqueue(services.db, sendNewsletterJob, { sendId }, { key: sendId, startAt });
}

/** A job serves the next send by fair scheduling, not necessarily its own: its own send is enqueued again while unfinished, so every waiting send has a job. */
async function deliverNextSend(services: Services, sendId: string): Promise<void> {
  const next = (await claimNextNewsletterSend(services.db)) ?? sendId;
  if (next !== sendId && (await isNewsletterSendUnfinished(services.db, sendId)))
    await services.jobs.enqueue(services.db, sendNewsletterJob, { sendId }, { key: sendId });
  await deliver(services, next);
}

/** Concurrency 1 per process. Slices rotate over businesses, and over the sends of each business. */
export const sendNewsletterJob = defineJob(
  'newsletter-send',
  z.object({ sendId: z.string() }),
  (services: Services, { sendId }) => deliverNextSend(services, sendId),
  { deduplicateByKey: true, retries: 10, concurrency: 1, timeout: 30 },
);

/** Sends mails until the slice ends or no recipient is free. Returns true when it stopped early after a series of temporary failures. */
async function sendSlice(services: Services, send: StartedNewsletterSend): Promise<boolean> {
  const { concurrency, perSecond } = services.config.newsletter;
  const claims = createNewsletterRecipientClaims(services.db, send.id, randomUUID());
  const waitForRate = createSendRateLimiter(perSecond);
  const endsAt = performance.now() + sliceMs;
  let temporaryFailures = 0;
  const isOutage = () => temporaryFailures >= concurrency + 5;
  const isOver = () => performance.now() >= endsAt || isOutage();
  // Large enough that workers do not wait for the database, small enough that a crash leaves few claims.
  const batchSize = Math.max(1, Math.min(concurrency * 2, Math.floor(perSecond)));
  const queue: ClaimedNewsletterRecipient[] = [];
  let refill: Promise<boolean> | undefined;

  const next = async (): Promise<ClaimedNewsletterRecipient | undefined> => {
    while (queue.length === 0) {
      if (isOver()) return undefined;
      refill ??= claims
        .take(batchSize)
        .then((recipients) => {
          queue.push(...recipients);
          return recipients.length > 0;
        })
        .finally(() => {
          refill = undefined;
        });
      if (!(await refill) && queue.length === 0) return undefined;
    }
    return queue.shift();
  };
  const work = async () => {
    for (let claimed = await next(); claimed && !isOver(); claimed = await next()) {
      await waitForRate();
      if (!claims.areValid()) continue;
      const isSettled = await sendToRecipient(services, send, claimed, claims);
      temporaryFailures = isSettled ? 0 : temporaryFailures + 1;
    }
  };

  const reporting = setInterval(() => {
    loadNewsletterSendProgress(services, send.id).then(
      (progress) => logProgress(services, send, progress),
      () => {},
    );
  }, reportEveryMs);
  try {
    const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
    await claims.release();
  } finally {
    clearInterval(reporting);
    claims.stop();
  }
  return isOutage();
}

/** False after a temporary failure, which is retried later. True when the mail was accepted or rejected permanently. */
async function sendToRecipient(
  { mail, keys, config, log }: Services,
  send: StartedNewsletterSend,
  { id, email, name, attempts }: ClaimedNewsletterRecipient,
  claims: ReturnType<typeof createNewsletterRecipientClaims>,
): Promise<boolean> {
  const url = buildUnsubscribeUrl(
    config.publicUrl,
    send.businessId,
    createUnsubscribeToken(keys.secret, send.businessId, id),
  );
  const host = new URL(config.publicUrl).hostname;
  try {
    await mail.send({
      to: email,
      ...personaliseNewsletterMail(send.content, { name, email, unsubscribeUrl: url }),
      messageId: `<${send.id}.${id}@${host}>`,
      headers: {
        'List-Id': `<${send.collectionId}.${host}>`,
        'List-Unsubscribe': `<${url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
  } catch (error) {
    log.warn({ err: error, sendId: send.id, subscriptionId: id, attempts }, 'newsletter mail not sent');
    if (!(error instanceof MailRejectedError)) {
      await claims.postpone(id, attempts);
      return false;
    }
    await claims.fail(id, 'rejected by the mail server');
    return true;
  }
  await claims.finish(id);
  return true;
}

function logProgress(
  { log }: Services,
  send: StartedNewsletterSend,
  { sent, failed, recipients }: NewsletterSendProgress,
) {
  const share = recipients === 0 ? 1 : (sent + failed) / recipients;
  const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
  log.info({ sendId: send.id, sent, failed, recipients }, `newsletter ${bar} ${Math.floor(share * 100)} %`);
}
