/** What is kept how long: each domain says what of its tables grows old, and one job walks them all. */
import type { Services } from '../context.ts';
import { retentionAuditContext } from '../db/audit-context.ts';
import { deleteExpiredRows, type RetentionRule } from '../db/delete-expired-rows.ts';
import { filterCustomersWithOrders } from '../domains/orders/read/customer-orders.ts';
import { sweeps as outbox } from '../domains/shared/captured-messages.ts';
import { mailJob } from '../domains/shared/queue-mail.ts';
import { deleteStaleGuests } from '../domains/users/retention.ts';
import { jobs } from '../generated/domains/jobs.ts';
import { sweeps as ofDomains } from '../generated/domains/sweeps.ts';
import { idempotencyRetentionRules as idempotency } from '../idempotency.ts';
import { now } from '../lib/time.ts';
import { defineJob, type Job, noJobData } from '../ports/jobs.ts';

export const allRetentionRules: readonly RetentionRule[] = [...idempotency, ...outbox, ...ofDomains];

export const retentionJob = defineJob(
  'retention',
  noJobData,
  async ({ db, config, log, metrics }: Pick<Services, 'db' | 'config' | 'log' | 'metrics'>) => {
    const { retention } = config;
    const swept: Record<string, number> = {};
    const sweeping = db.withContext({ auditContext: retentionAuditContext });
    for (const one of allRetentionRules) {
      const gone = await deleteExpiredRows(sweeping, one, now() - retention[one.retentionKey]);
      metrics.rowsDeleted(one.table, gone);
      if (gone > 0) swept[one.table] = gone;
    }
    const guests = await deleteStaleGuests(db, now() - retention.guests, filterCustomersWithOrders);
    metrics.rowsDeleted('users', guests);
    if (guests > 0) swept.users = guests;
    if (Object.keys(swept).length > 0) log.info({ swept }, 'old records are gone');
  },
  { cron: '23 * * * *', retries: 0, timeout: 3000 },
);

/** Every job of the gateway: those of the domains, and the mails that all of them send. */

export const allJobs: readonly Job<Services>[] = [...jobs, mailJob, retentionJob];
