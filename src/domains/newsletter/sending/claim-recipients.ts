/** Leases on recipients: a worker claims recipients, and no other worker sends to them until they are settled or the lease expires. */
import type { QueryHandle } from '../../../db/index.ts';

export interface ClaimedNewsletterRecipient {
  /** Id of the subscription. */
  id: string;
  email: string;
  name: string;
  attempts: number;
}

/** Lease of a claim. A live worker renews it every 10 seconds. */
const leaseMs = 30_000;
/** The attempts span about three hours. */
const maxAttempts = 10;
const firstRetryDelayMs = 30_000;
const maxRetryDelayMs = 3_600_000;

/** SQL: clock of the database, shared by all processes, in milliseconds. */
const clock = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const claimStatement = `
  update newsletter_recipients r set claim = $2::uuid, free_at = ${clock} + $3, attempts = r.attempts + 1
  from (
    select w.subscription_id from newsletter_recipients w
    where w.send_id = $1 and w.status = 'WAITING' and w.free_at <= ${clock}
    order by w.free_at, w.subscription_id limit $4 for update skip locked
  ) free, subscriptions s
  where r.send_id = $1 and r.subscription_id = free.subscription_id and s.id = r.subscription_id
  returning s.id, s.email, s.name, s.status, r.attempts`;

export function createNewsletterRecipientClaims(queries: QueryHandle, sendId: string, claim: string) {
  let validUntil = 0;
  let renewalTimer: NodeJS.Timeout | undefined;

  async function renew() {
    const startedAt = performance.now();
    await queries.write(
      `update newsletter_recipients set free_at = ${clock} + $3 where send_id = $1 and claim = $2::uuid and status = 'WAITING'`,
      [sendId, claim, leaseMs],
    );
    validUntil = startedAt + leaseMs;
  }

  const settle = (id: string, changes: string, ...params: unknown[]) =>
    queries.write(
      `update newsletter_recipients set claim = null, ${changes} where send_id = $1 and subscription_id = $2 and claim = $3::uuid`,
      [sendId, id, claim, ...params],
    );

  return {
    /** Claims at most `limit` free recipients. Recipients who have unsubscribed since are set to SKIPPED. */
    async take(limit: number): Promise<ClaimedNewsletterRecipient[]> {
      const startedAt = performance.now();
      const rows = await queries.write<ClaimedNewsletterRecipient & { status: string }>(claimStatement, [
        sendId,
        claim,
        leaseMs,
        limit,
      ]);
      if (renewalTimer === undefined) {
        validUntil = startedAt + leaseMs;
        renewalTimer = setInterval(() => renew().catch(() => {}), leaseMs / 3);
      }
      const unsubscribed = rows.filter(({ status }) => status !== 'ACTIVE').map(({ id }) => id);
      if (unsubscribed.length > 0) {
        await queries.write(
          `update newsletter_recipients set status = 'SKIPPED', claim = null where send_id = $1 and claim = $2::uuid and subscription_id = any($3::uuid[])`,
          [sendId, claim, unsubscribed],
        );
      }
      return rows.filter(({ status }) => status === 'ACTIVE');
    },
    /** False when the lease was not renewed in time and another worker may have claimed the recipients. */
    areValid: () => performance.now() < validUntil - leaseMs / 3,
    finish: (id: string) => settle(id, "status = 'SENT', error = null"),
    fail: (id: string, error: string) => settle(id, "status = 'FAILED', error = $4", error),
    /** Schedules a retry, or sets FAILED after the last attempt. */
    postpone: (id: string, attempts: number) =>
      attempts >= maxAttempts
        ? settle(id, "status = 'FAILED', error = $4", 'all attempts failed')
        : settle(id, `free_at = ${clock} + $4::bigint`, computeMailRetryDelayMs(attempts)),
    /** Releases recipients that were not attempted. */
    async release(): Promise<void> {
      await queries.write(
        `update newsletter_recipients set claim = null, free_at = 0, attempts = attempts - 1 where send_id = $1 and claim = $2::uuid and status = 'WAITING'`,
        [sendId, claim],
      );
    },
    /** Stops the renewal; remaining claims expire with their lease. */
    stop: () => clearInterval(renewalTimer),
  };
}

/** Exponential backoff with ±25 % jitter, from 30 seconds to one hour before jitter. */
export const computeMailRetryDelayMs = (attempts: number, random = Math.random()): number =>
  Math.round(Math.min(firstRetryDelayMs * 2 ** (attempts - 1), maxRetryDelayMs) * (0.75 + random / 2));
