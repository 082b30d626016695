/** Recipients claimed by one worker: nobody else sends to them until they are done or the claim runs out. */
import type { Queries } from '../../../db/handles.ts';

export interface ClaimedRecipient {
  /** Of the subscription. */
  id: string;
  email: string;
  name: string;
  attempts: number;
}

/** A worker that is alive renews its claims three times as often as they run out. */
const leaseMs = 30_000;
/** Over about three hours. */
const maxAttempts = 10;
const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;

/** SQL: the clock all processes share, in milliseconds. */
const clock = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const takeStatement = `
  update newsletter_recipients r set claim = $2::uuid, free_at = ${clock} + $3, attempts = r.attempts + 1
  from (
    select w.subscription_id from newsletter_recipients w
    where w.send_id = $1 and w.status = 'WAITING' and w.free_at <= ${clock}
    order by w.free_at, w.subscription_id limit $4 for update skip locked
  ) free, subscriptions s
  where r.send_id = $1 and r.subscription_id = free.subscription_id and s.id = r.subscription_id
  returning s.id, s.email, s.name, s.status, r.attempts`;

export function createRecipientClaims(queries: Queries, sendId: string, claim: string) {
  let validUntil = 0;
  let renewing: NodeJS.Timeout | undefined;

  async function renew() {
    const asked = performance.now();
    await queries.sql(
      `update newsletter_recipients set free_at = ${clock} + $3 where send_id = $1 and claim = $2::uuid and status = 'WAITING'`,
      [sendId, claim, leaseMs],
    );
    validUntil = asked + leaseMs;
  }

  const settle = (id: string, changes: string, ...params: unknown[]) =>
    queries.sql(
      `update newsletter_recipients set claim = null, ${changes} where send_id = $1 and subscription_id = $2 and claim = $3::uuid`,
      [sendId, id, claim, ...params],
    );

  return {
    /** At most `limit` recipients who are free; those who have unsubscribed since are crossed out. */
    async take(limit: number): Promise<ClaimedRecipient[]> {
      const asked = performance.now();
      const rows = await queries.sql<ClaimedRecipient & { status: string }>(takeStatement, [
        sendId,
        claim,
        leaseMs,
        limit,
      ]);
      if (renewing === undefined) {
        validUntil = asked + leaseMs;
        renewing = setInterval(() => renew().catch(() => {}), leaseMs / 3);
      }
      const gone = rows.filter(({ status }) => status !== 'ACTIVE').map(({ id }) => id);
      if (gone.length > 0) {
        await queries.sql(
          `update newsletter_recipients set status = 'SKIPPED', claim = null where send_id = $1 and claim = $2::uuid and subscription_id = any($3::uuid[])`,
          [sendId, claim, gone],
        );
      }
      return rows.filter(({ status }) => status === 'ACTIVE');
    },
    /** False after a pause so long that others may have taken over. */
    areValid: () => performance.now() < validUntil - leaseMs / 3,
    finish: (id: string) => settle(id, "status = 'SENT', error = null"),
    fail: (id: string, error: string) => settle(id, "status = 'FAILED', error = $4", error),
    /** For another try later, unless this was the last. */
    postpone: (id: string, attempts: number) =>
      attempts >= maxAttempts
        ? settle(id, "status = 'FAILED', error = $4", 'gave up')
        : settle(id, `free_at = ${clock} + $4::bigint`, computeMailRetryDelayMs(attempts)),
    /** Gives back what was not sent. */
    async release(): Promise<void> {
      await queries.sql(
        `update newsletter_recipients set claim = null, free_at = 0, attempts = attempts - 1 where send_id = $1 and claim = $2::uuid and status = 'WAITING'`,
        [sendId, claim],
      );
    },
    /** What is still claimed is free for others when the claim runs out. */
    stop: () => clearInterval(renewing),
  };
}

/** Twice as long each time, and not the same for everybody. */
export const computeMailRetryDelayMs = (attempts: number, random = Math.random()): number =>
  Math.round(Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs) * (0.75 + random / 2));
