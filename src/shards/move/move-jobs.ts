/** Background jobs of a business, which move with it: the queue of a server is not part of the copied tables. */
import { jobTransfer } from '../../vendor/pg-boss/job-tables.ts';
import type { Move } from './open-move.ts';

const ofBusiness = "j.data ->> 'businessId' = $2";
const ofRecord = (key: string, table: string) =>
  `j.data ->> '${key}' IN (SELECT id::text FROM ${table} WHERE business_id = $2::uuid)`;

/** Condition of the jobs of a business (`$2`), by queue. */
const conditionByQueue: Readonly<Record<string, string>> = {
  'bulk-run': ofRecord('id', 'bulk_operations'),
  'look-up-renewal': ofRecord('id', 'subscriptions'),
  'low-stock': ofBusiness,
  'media-process': ofRecord('id', 'media'),
  'newsletter-send': ofRecord('sendId', 'newsletter_sends'),
  'orders.send-link': ofBusiness,
  'settle-refund': ofRecord('refundId', 'refunds'),
};

/** Jobs without data, which wake the work that the tables contain: both servers get them. */
const wakingQueues: readonly string[] = ['end-renewals', 'publish-due', 'webhooks-deliver'];

export const movedQueues: readonly string[] = [...Object.keys(conditionByQueue), ...wakingQueues];

/**
 * Moves the waiting jobs of the business to the target; with `all`, also running and failed ones. A job is on both servers for a moment,
 * and runs twice if this process is killed then: jobs run at least once.
 */
export async function moveJobs(move: Move, { all }: { all: boolean }): Promise<void> {
  const { businessId, source } = move;
  for (const [queue, condition] of Object.entries(conditionByQueue)) {
    const text = jobTransfer.take(condition, { all });
    await source.connection.query('BEGIN');
    try {
      await putJobs(move, await source.connection.query(text, [queue, businessId]));
      await source.connection.query('COMMIT');
    } catch (error) {
      await source.connection.query('ROLLBACK');
      throw error;
    }
  }
  for (const queue of wakingQueues)
    await putJobs(move, await source.connection.query(jobTransfer.waiting, [queue]));
}

async function putJobs({ target }: Move, rows: readonly { job: unknown }[]): Promise<void> {
  if (rows.length > 0)
    await target.connection.query(jobTransfer.put, [JSON.stringify(rows.map(({ job }) => job))]);
}
