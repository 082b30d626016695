/** Sends the purges of the edge cache that triggers have written in the transaction of each change: at least once, in batches. */
import type { Services } from '../context.ts';
import type { RetentionRule } from '../db/delete-expired-rows.ts';
import { defineJob, noJobDataSchema } from '../ports/jobs.ts';

const batchSize = 1000;
/** Upper limit per run; the next run continues. */
const maxBatches = 50;
/** A business with more keys in one batch is purged as a whole. */
const maxKeysPerBusiness = 200;
const pollIntervalMs = 1000;

const dueCondition = 'send_at <= extract(epoch from clock_timestamp())::bigint';
const dueStatement = `select id::text, business_id as "businessId", key from cache_purges where ${dueCondition} order by id limit ${batchSize}`;
const newestDueStatement = `select max(id)::text as id from cache_purges where ${dueCondition}`;
const deleteStatement = 'delete from cache_purges where id = any($1::bigint[])';

interface DuePurge {
  id: string;
  businessId: string;
  key: string;
}

type PurgeServices = Pick<Services, 'db' | 'edgeCache'>;

/** Rows are deleted after the cache has confirmed their purge. */
export async function sendEdgeCachePurges({ db, edgeCache }: PurgeServices): Promise<void> {
  if (!edgeCache) return;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const due = await db.sql<DuePurge>(dueStatement, []);
    if (due.length === 0) return;
    await edgeCache.purge(toPurgedKeys(due));
    await db.write(deleteStatement, [due.map(({ id }) => id)]);
  }
}

export function toPurgedKeys(due: readonly Pick<DuePurge, 'businessId' | 'key'>[]): string[] {
  const keysByBusiness = new Map<string, Set<string>>();
  for (const { businessId, key } of due) {
    const keys = keysByBusiness.get(businessId) ?? new Set();
    keysByBusiness.set(businessId, keys.add(key));
  }
  return [...keysByBusiness].flatMap(([businessId, keys]) =>
    keys.has(businessId) || keys.size > maxKeysPerBusiness ? [businessId] : [...keys],
  );
}

/** The minutely run continues after an outage of the cache that took longer than the retries. */
export const edgeCachePurgeJob = defineJob('edge-cache-purge', noJobDataSchema, sendEdgeCachePurges, {
  cron: '* * * * *',
  atStart: true,
  coalesce: true,
});

/** Enqueues the job within a second of each change, of any process. The returned function stops it. */
export function startEnqueuingEdgeCachePurges({
  db,
  jobs,
  log,
}: Pick<Services, 'db' | 'jobs' | 'log'>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let newestEnqueued: string | null = null;
  const scheduleNext = () => {
    if (!isStopped) timer = setTimeout(poll, pollIntervalMs).unref();
  };
  async function enqueueIfDue(): Promise<void> {
    const [newest] = await db.sql<{ id: string | null }>(newestDueStatement, []);
    // A purge that failed is retried by the job queue.
    if (!newest || newest.id === null || newest.id === newestEnqueued) return;
    await jobs.enqueue(db, edgeCachePurgeJob, {});
    newestEnqueued = newest.id;
  }
  const poll = (): void => {
    enqueueIfDue()
      .catch((error: unknown) => log.warn({ err: error }, 'edge cache purges not read, will be retried'))
      .finally(scheduleNext);
  };
  scheduleNext();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Purges that were not sent within a day have no effect: no response is stored for longer. */
export const edgeCachePurgeRetention: readonly RetentionRule[] = [
  { retentionKey: 'expired', table: 'cache_purges', expiredCondition: 'send_at < $1 - 86400' },
];
