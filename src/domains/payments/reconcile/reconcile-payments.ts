/** Reconciles open sessions, pending refunds and recent payments with the provider, and repairs missed events. */
import type { Services } from '../../../context.ts';
import { buildWritableBusinessSql, type UntypedRow } from '../../../db/index.ts';
import { nilUuid } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { paymentAttemptTable, refundTable } from '../model.ts';
import {
  type PaymentDifference,
  type ReconcileWithProvider,
  reconcilePaymentWithProvider,
  reconcileRefundWithProvider,
  reconcileSessionWithProvider,
} from './reconcile-with-provider.ts';

export interface ReconcilePaymentsOptions {
  /** Report differences without repairing them. */
  dryRun?: boolean;
  /** Seconds to wait for an event before querying a session or refund (default 300), and between queries of a payment (default one day). */
  eventGraceSeconds?: number;
  paymentGraceSeconds?: number;
  onDifference?(difference: PaymentDifference): void;
  onProgress?(checked: number): void;
}

interface ReconcilePaymentsResult {
  checked: number;
  differences: number;
  /** Items for which the provider did not answer; the next run retries them. */
  unanswered: number;
}

const defaultEventGraceSeconds = 300;
/** Paid payments rarely change: queried once a day, for 60 days after the last change or refund. */
const daySeconds = 86_400;
const watchSeconds = 60 * daySeconds;
const batchSize = 100;

const openSessions = `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from}
  where a.state in ('NEW', 'OPEN', 'PROCESSING') and a.created_at <= $1
    and coalesce(a.checked_at, 0) <= $1 and a.id > $2
    and ${buildWritableBusinessSql('a.business_id')} order by a.id limit ${batchSize}`;

// A closed session is queried one more time: a payment may have completed at the moment of closing. An attempt without a session id may have
// one at the provider, whose answer was lost: it is searched by reference for two days.
const closedSessions = `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from}
  where a.state = 'CLOSED' and (a.session_id is not null or a.updated_at >= $1::bigint - ${2 * daySeconds}) and (a.checked_at is null or a.checked_at <= a.updated_at)
    and a.updated_at <= $1 and a.id > $2
    and ${buildWritableBusinessSql('a.business_id')} order by a.id limit ${batchSize}`;

const pendingRefunds = `select ${refundTable.columns} from ${refundTable.from}
  where r.status = 'PENDING' and r.created_at <= $1 and r.id > $2
    and ${buildWritableBusinessSql('r.business_id')} order by r.id limit ${batchSize}`;

const paidPayments = `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from}
  where a.state in ('PAID', 'RETURNED') and a.payment_id is not null and (a.updated_at >= $1::bigint - ${watchSeconds}
    or exists (select 1 from refunds r where r.attempt_id = a.id and coalesce(r.settled_at, r.created_at) >= $1 - ${watchSeconds})) and coalesce(a.checked_at, a.created_at) <= $1 and a.id > $2
    and ${buildWritableBusinessSql('a.business_id')} order by a.id limit ${batchSize}`;

export async function reconcilePayments(
  services: Services,
  options: ReconcilePaymentsOptions = {},
): Promise<ReconcilePaymentsResult> {
  const {
    dryRun = false,
    eventGraceSeconds = defaultEventGraceSeconds,
    paymentGraceSeconds = daySeconds,
    onDifference,
    onProgress,
  } = options;
  const result: ReconcilePaymentsResult = { checked: 0, differences: 0, unanswered: 0 };
  const reconcileEach = async <Item extends { id: string }>(
    statement: string,
    before: number,
    read: (row: UntypedRow) => Item,
    compare: ReconcileWithProvider<Item>,
  ) => {
    for (let after = nilUuid; ; ) {
      const items = (await services.db.sql<UntypedRow>(statement, [before, after])).map(read);
      for (const item of items) {
        const differences = await compare(services, item, dryRun).catch((error: unknown) => {
          result.unanswered += 1;
          services.log.warn({ err: error, id: item.id }, 'reconciliation failed, will be retried');
          return [];
        });
        result.checked += 1;
        onProgress?.(result.checked);
        result.differences += differences.length;
        for (const difference of differences) onDifference?.(difference);
      }
      if (items.length < batchSize) return;
      after = items.at(-1)?.id ?? after;
    }
  };
  await reconcileEach(
    openSessions,
    now() - eventGraceSeconds,
    paymentAttemptTable.read,
    reconcileSessionWithProvider,
  );
  await reconcileEach(
    closedSessions,
    now() - eventGraceSeconds,
    paymentAttemptTable.read,
    reconcileSessionWithProvider,
  );
  await reconcileEach(
    pendingRefunds,
    now() - eventGraceSeconds,
    refundTable.read,
    reconcileRefundWithProvider,
  );
  await reconcileEach(
    paidPayments,
    now() - paymentGraceSeconds,
    paymentAttemptTable.read,
    reconcilePaymentWithProvider,
  );
  return result;
}

export const reconcilePaymentsJob = defineJob(
  'reconcile-payments',
  noJobDataSchema,
  async (services: Services) => {
    const { differences, unanswered } = await reconcilePayments(services, {
      onDifference: (difference) =>
        services.log.warn(difference, "payment state differs from the provider's"),
    });
    if (differences + unanswered > 0) services.log.info({ differences, unanswered }, 'payments reconciled');
  },
  { cron: '*/5 * * * *', retries: 0, timeout: 600 },
);
