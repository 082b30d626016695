/** Asks the provider about everything that is open here, and repairs what its events did not tell. */
import type { Services } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { firstId } from '../../lib/findings.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noData } from '../../ports/jobs.ts';
import { type Compare, comparePage, comparePayment, compareRefund, type Difference } from './differences.ts';
import { attempts, refunds } from './model.ts';

export interface ReconcileOptions {
  /** Look and tell, but change nothing. */
  dryRun?: boolean;
  /** Events get this many seconds to arrive by themselves, what happens later to a payment a day. */
  patience?: number;
  paymentPatience?: number;
  tell?(difference: Difference): void;
  progress?(asked: number): void;
}

export interface Reconciled {
  asked: number;
  differences: number;
  /** What could not be asked; the next run asks again. */
  unanswered: number;
}

const fiveMinutes = 300;
/** Payments change little after they were made: asked once a day, for as long as refunds are common. */
const daySeconds = 86_400;
const watchedSeconds = 60 * daySeconds;
const batchSize = 100;

const openPages = `select ${attempts.columns} from ${attempts.from}
  where a.state in ('OPEN', 'PROCESSING') and a.session_id is not null and a.created_at <= $1
    and coalesce(a.checked_at, 0) <= $1 and a.id > $2 order by a.id limit ${batchSize}`;

// A page that was closed is asked about once more: somebody may have paid in that moment.
const closedPages = `select ${attempts.columns} from ${attempts.from}
  where a.state = 'CLOSED' and a.session_id is not null and (a.checked_at is null or a.checked_at <= a.updated_at)
    and a.updated_at <= $1 and a.id > $2 order by a.id limit ${batchSize}`;

const pendingRefunds = `select ${refunds.columns} from ${refunds.from}
  where r.status = 'PENDING' and r.created_at <= $1 and r.id > $2 order by r.id limit ${batchSize}`;

const payments = `select ${attempts.columns} from ${attempts.from}
  where a.state in ('PAID', 'RETURNED') and a.payment_id is not null and (a.updated_at >= $1 - ${watchedSeconds}
    or exists (select 1 from refunds r where r.attempt_id = a.id and coalesce(r.settled_at, r.created_at) >= $1 - ${watchedSeconds})) and coalesce(a.checked_at, a.created_at) <= $1 and a.id > $2 order by a.id limit ${batchSize}`;

export async function reconcile(services: Services, options: ReconcileOptions = {}): Promise<Reconciled> {
  const { dryRun = false, patience = fiveMinutes, paymentPatience = daySeconds, tell, progress } = options;
  const count: Reconciled = { asked: 0, differences: 0, unanswered: 0 };
  const each = async <Item extends { id: string }>(
    statement: string,
    before: number,
    read: (row: Row) => Item,
    compare: Compare<Item>,
  ) => {
    for (let after = firstId; ; ) {
      const items = (await services.db.sql<Row>(statement, [before, after])).map(read);
      for (const item of items) {
        const differences = await compare(services, item, dryRun).catch((error: unknown) => {
          count.unanswered += 1;
          services.log.warn({ err: error, id: item.id }, 'not reconciled, will be tried again');
          return [];
        });
        count.asked += 1;
        progress?.(count.asked);
        count.differences += differences.length;
        for (const difference of differences) tell?.(difference);
      }
      if (items.length < batchSize) return;
      after = items.at(-1)?.id ?? after;
    }
  };
  await each(openPages, now() - patience, attempts.read, comparePage);
  await each(closedPages, now() - patience, attempts.read, comparePage);
  await each(pendingRefunds, now() - patience, refunds.read, compareRefund);
  await each(payments, now() - paymentPatience, attempts.read, comparePayment);
  return count;
}

export const reconcileJob = defineJob(
  'reconcile-payments',
  noData,
  async (services: Services) => {
    const { differences, unanswered } = await reconcile(services, {
      tell: (difference) => services.log.warn(difference, 'the payment provider saw it otherwise'),
    });
    if (differences + unanswered > 0) services.log.info({ differences, unanswered }, 'payments reconciled');
  },
  { cron: '*/5 * * * *', retries: 0, timeout: 600 },
);
