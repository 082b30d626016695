/** The hourly retention job: deletes expired rows by the retention rules of all domains. */
import type { Services } from '../context.ts';
import { retentionAuditContext } from '../db/audit-context.ts';
import { deleteExpiredRows, type RetentionRule } from '../db/delete-expired-rows.ts';
import { filterCustomerIdsWithOrders } from '../domains/orders/read/filter-customer-ids-with-orders.ts';
import { capturedMessageRetention } from '../domains/shared/list-captured-messages.ts';
import { deleteStaleGuests } from '../domains/users/privacy/retention-rules.ts';
import { retentionRules } from '../generated/domains/retention-rules.ts';
import { idempotencyRetentionRules } from '../idempotency.ts';
import { now } from '../lib/time.ts';
import { defineJob, noJobDataSchema } from '../ports/jobs.ts';
import { accountTables } from '../shards/account-tables.ts';
import { edgeCachePurgeRetention } from './send-edge-cache-purges.ts';

export const allRetentionRules: readonly RetentionRule[] = [
  ...idempotencyRetentionRules,
  ...capturedMessageRetention,
  ...edgeCachePurgeRetention,
  ...retentionRules,
];

export const retentionJob = defineJob(
  'retention',
  noJobDataSchema,
  async ({ db, config, log, metrics }: Pick<Services, 'db' | 'config' | 'log' | 'metrics'>) => {
    const { retention } = config;
    const deletedRows: Record<string, number> = {};
    const retentionDb = db.withContext({ auditContext: retentionAuditContext });
    // Another server than the home server has no accounts.
    const hasAccounts = db.otherServers?.accounts === undefined;
    for (const rule of allRetentionRules) {
      if (!hasAccounts && accountTables.includes(rule.table)) continue;
      const deletedCount = await deleteExpiredRows(retentionDb, rule, now() - retention[rule.retentionKey]);
      metrics?.rowsDeleted(rule.table, deletedCount);
      if (deletedCount > 0) deletedRows[rule.table] = deletedCount;
    }
    const deletedGuests = hasAccounts
      ? await deleteStaleGuests(db, now() - retention.guests, filterCustomerIdsWithOrders)
      : 0;
    metrics?.rowsDeleted('users', deletedGuests);
    if (deletedGuests > 0) deletedRows.users = deletedGuests;
    if (Object.keys(deletedRows).length > 0) log.info({ deletedRows }, 'deleted expired records');
  },
  { cron: '23 * * * *', retries: 0, timeout: 3000 },
);
