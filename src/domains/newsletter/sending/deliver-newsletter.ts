/** Sends one newsletter, a slice of time after another, side by side with any number of other processes. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob } from '../../../ports/jobs.ts';
import { MailRejectedError } from '../../../ports/mail.ts';
import { buildUnsubscribeUrl, createUnsubscribeToken } from '../mail/mail-tokens.ts';
import { personaliseMail } from '../mail/newsletter-template.ts';
import { claimNextSend, isSendUnfinished, pauseSend } from './fair-scheduling.ts';
import { type ClaimedRecipient, createRecipientClaims } from './recipient-claims.ts';
import {
  collectRecipients,
  finishSend,
  loadSendProgress,
  type SendProgress,
  type StartedSend,
  startSend,
} from './send-progress.ts';
import { createSendRateLimiter } from './send-rate.ts';

/** A job gives way to others after this long, and goes on in a job of its own. */
const sliceMs = 15_000;
const reportEveryMs = 5_000;
/** When nothing goes out, the server is in trouble, not the recipients: they keep their tries for later. */
const troublePauseSeconds = 30;

async function deliver(services: Services, sendId: string): Promise<void> {
  const begun = await startSend(services, sendId);
  if (!begun) return;
  const { send } = begun;
  const endsAt = performance.now() + sliceMs;
  const goOn = () => performance.now() < endsAt;
  if (!begun.gathered && !(await collectRecipients(services, send, goOn))) {
    await services.jobs.enqueue(services.db, sendNewsletterJob, { sendId }, { key: sendId });
    return;
  }
  const inTrouble = await sendSlice(services, send);
  const progress = await loadSendProgress(services, send.id);
  report(services, send, progress);
  if (progress.waiting === 0) return finishSend(services, send, progress);
  // What waits may be under way elsewhere, or wait for another try: somebody has to come back for it.
  const startAt = Math.max(now() + (inTrouble ? troublePauseSeconds : 0), Math.ceil(progress.nextAt / 1000));
  if (startAt > now()) await pauseSend(services.db, sendId, startAt);
  await services.jobs.enqueue(services.db, sendNewsletterJob, { sendId }, { key: sendId, startAt });
}

/** Every send that waits has a job, and every job is a turn: it belongs to whoever is next, and the send it was for keeps waiting. */
async function takeTurns(services: Services, sendId: string): Promise<void> {
  const next = (await claimNextSend(services.db)) ?? sendId;
  if (next !== sendId && (await isSendUnfinished(services.db, sendId)))
    await services.jobs.enqueue(services.db, sendNewsletterJob, { sendId }, { key: sendId });
  await deliver(services, next);
}

/** One at a time in each process, a slice each: businesses take turns, and so do the newsletters of each. */
export const sendNewsletterJob = defineJob(
  'newsletter-send',
  z.object({ sendId: z.string() }),
  (services: Services, { sendId }) => takeTurns(services, sendId),
  { deduplicateByKey: true, retries: 10, concurrency: 1, timeout: 30 },
);

/** Returns whether it stopped early because one mail after another met with temporary trouble. */
async function sendSlice(services: Services, send: StartedSend): Promise<boolean> {
  const { concurrency, perSecond } = services.config.newsletter;
  const claims = createRecipientClaims(services.db, send.id, randomUUID());
  const pace = createSendRateLimiter(perSecond);
  const endsAt = performance.now() + sliceMs;
  let troubles = 0;
  const inTrouble = () => troubles >= concurrency + 5;
  const isOver = () => performance.now() >= endsAt || inTrouble();
  // Enough that nobody waits for the database, few enough that a crash leaves little behind.
  const batch = Math.max(1, Math.min(concurrency * 2, Math.floor(perSecond)));
  const queue: ClaimedRecipient[] = [];
  let refill: Promise<boolean> | undefined;

  const next = async (): Promise<ClaimedRecipient | undefined> => {
    while (queue.length === 0) {
      if (isOver()) return undefined;
      refill ??= claims
        .take(batch)
        .then((taken) => {
          queue.push(...taken);
          return taken.length > 0;
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
      await pace();
      if (!claims.areValid()) continue;
      const delivered = await sendOne(services, send, claimed, claims);
      troubles = delivered ? 0 : troubles + 1;
    }
  };

  const reporting = setInterval(() => {
    loadSendProgress(services, send.id).then(
      (progress) => report(services, send, progress),
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
  return inTrouble();
}

/** False: temporary trouble, to be tried again. */
async function sendOne(
  { mail, keys, config, log }: Services,
  send: StartedSend,
  { id, email, name, attempts }: ClaimedRecipient,
  claims: ReturnType<typeof createRecipientClaims>,
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
      ...personaliseMail(send.content, { name, email, unsubscribeUrl: url }),
      messageId: `<${send.id}.${id}@${host}>`,
      headers: {
        'List-Id': `<${send.collectionId}.${host}>`,
        'List-Unsubscribe': `<${url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
  } catch (error) {
    log.warn({ err: error, send: send.id, subscription: id, attempts }, 'newsletter mail not sent');
    if (!(error instanceof MailRejectedError)) {
      await claims.postpone(id, attempts);
      return false;
    }
    await claims.fail(id, 'refused');
    return true;
  }
  await claims.finish(id);
  return true;
}

function report({ log }: Services, send: StartedSend, { sent, failed, recipients }: SendProgress) {
  const share = recipients === 0 ? 1 : (sent + failed) / recipients;
  const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
  log.info({ send: send.id, sent, failed, recipients }, `newsletter ${bar} ${Math.floor(share * 100)} %`);
}
