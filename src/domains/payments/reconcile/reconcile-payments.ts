/** Asks the provider about everything that is open here, and repairs what its events did not tell. */
import type { Services } from '../../../context.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { nilId } from '../../../lib/audit-finding.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import { paymentAttempts, refunds } from '../model.ts';
import {
  type CompareWithProvider,
  comparePayment,
  compareRefund,
  compareSession,
  type PaymentDifference,
} from './compare-with-provider.ts';

export interface ReconcileOptions {
  /** Look and tell, but change nothing. */
  dryRun?: boolean;
  /** Events get this many seconds to arrive by themselves, what happens later to a payment a day. */
  eventGraceSeconds?: number;
  paymentGraceSeconds?: number;
  onDifference?(difference: PaymentDifference): void;
  onProgress?(asked: number): void;
}

export interface ReconcileResult {
  checked: number;
  differences: number;
  /** What could not be asked; the next run asks again. */
  unanswered: number;
}

const fiveMinutes = 300;
/** Payments change little after they were made: asked once a day, for as long as refunds are common. */
const daySeconds = 86_400;
const watchedSeconds = 60 * daySeconds;
const batchSize = 100;

const openPages = `select ${paymentAttempts.columns} from ${paymentAttempts.from}
  where a.state in ('OPEN', 'PROCESSING') and a.session_id is not null and a.created_at <= $1
    and coalesce(a.checked_at, 0) <= $1 and a.id > $2 order by a.id limit ${batchSize}`;

// A page that was closed is asked about once more: somebody may have paid in that moment.
const closedPages = `select ${paymentAttempts.columns} from ${paymentAttempts.from}
  where a.state = 'CLOSED' and a.session_id is not null and (a.checked_at is null or a.checked_at <= a.updated_at)
    and a.updated_at <= $1 and a.id > $2 order by a.id limit ${batchSize}`;

const pendingRefunds = `select ${refunds.columns} from ${refunds.from}
  where r.status = 'PENDING' and r.created_at <= $1 and r.id > $2 order by r.id limit ${batchSize}`;

const payments = `select ${paymentAttempts.columns} from ${paymentAttempts.from}
  where a.state in ('PAID', 'RETURNED') and a.payment_id is not null and (a.updated_at >= $1 - ${watchedSeconds}
    or exists (select 1 from refunds r where r.attempt_id = a.id and coalesce(r.settled_at, r.created_at) >= $1 - ${watchedSeconds})) and coalesce(a.checked_at, a.created_at) <= $1 and a.id > $2 order by a.id limit ${batchSize}`;

export async function reconcilePayments(
  services: Services,
  options: ReconcileOptions = {},
): Promise<ReconcileResult> {
  const {
    dryRun = false,
    eventGraceSeconds: patience = fiveMinutes,
    paymentGraceSeconds: paymentPatience = daySeconds,
    onDifference: tell,
    onProgress: progress,
  } = options;
  const count: ReconcileResult = { checked: 0, differences: 0, unanswered: 0 };
  const each = async <Item extends { id: string }>(
    statement: string,
    before: number,
    read: (row: TableRow) => Item,
    compare: CompareWithProvider<Item>,
  ) => {
    for (let after = nilId; ; ) {
      const items = (await services.db.sql<TableRow>(statement, [before, after])).map(read);
      for (const item of items) {
        const differences = await compare(services, item, dryRun).catch((error: unknown) => {
          count.unanswered += 1;
          services.log.warn({ err: error, id: item.id }, 'not reconciled, will be tried again');
          return [];
        });
        count.checked += 1;
        progress?.(count.checked);
        count.differences += differences.length;
        for (const difference of differences) tell?.(difference);
      }
      if (items.length < batchSize) return;
      after = items.at(-1)?.id ?? after;
    }
  };
  await each(openPages, now() - patience, paymentAttempts.read, compareSession);
  await each(closedPages, now() - patience, paymentAttempts.read, compareSession);
  await each(pendingRefunds, now() - patience, refunds.read, compareRefund);
  await each(payments, now() - paymentPatience, paymentAttempts.read, comparePayment);
  return count;
}

export const reconcileJob = defineJob(
  'reconcile-payments',
  noJobData,
  async (services: Services) => {
    const { differences, unanswered } = await reconcilePayments(services, {
      onDifference: (difference) => services.log.warn(difference, 'the payment provider saw it otherwise'),
    });
    if (differences + unanswered > 0) services.log.info({ differences, unanswered }, 'payments reconciled');
  },
  { cron: '*/5 * * * *', retries: 0, timeout: 600 },
);
