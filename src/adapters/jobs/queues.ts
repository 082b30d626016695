/** Creates the pg-boss queues. Each queue is a table partition. */
import type { QueryHandle } from '../../db/handles.ts';
import type { JobPolicy } from '../../ports/jobs.ts';

interface Queue {
  readonly name: string;
  readonly policy: JobPolicy;
}

type RunSql = (text: string, params: unknown[]) => Promise<unknown>;

// Arbitrary number that no other advisory lock in the database uses.
const queueLock = 682_904_117;

interface StoredQueue {
  name: string;
  retries: number | null;
  timeout: number | null;
}

/** The advisory lock serialises processes that start at the same time; they would block each other on the locks of half-created tables. */
export async function createJobQueues(db: QueryHandle, queues: readonly Queue[]): Promise<void> {
  const stored = await db.sql<StoredQueue>(
    'select name, retry_limit as retries, expire_seconds as timeout from pgboss.queue',
  );
  const storedQueues = new Map(stored.map((queue) => [queue.name, queue]));
  const missing = queues.filter(({ name }) => !storedQueues.has(name));
  // Updates queues that an earlier version created with another policy.
  for (const { name, policy } of queues) {
    const { retryLimit, expireInSeconds } = optionsOf(policy);
    const queue = storedQueues.get(name);
    if (!queue || (queue.retries === retryLimit && queue.timeout === expireInSeconds)) continue;
    await db.sql('update pgboss.queue set retry_limit = $2, expire_seconds = $3 where name = $1', [
      name,
      retryLimit,
      expireInSeconds,
    ]);
  }
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock($1)', [queueLock]);
    for (const queue of missing) await createJobQueue((text, params) => tx.sql(text, params), queue);
  });
}

export const createJobQueue = (runSql: RunSql, { name, policy }: Queue): Promise<unknown> =>
  runSql('select pgboss.create_queue($1, $2)', [name, JSON.stringify(optionsOf(policy))]);

const optionsOf = ({ deduplicateByKey: keyed, retries, timeout }: JobPolicy) => ({
  policy: keyed ? 'short' : 'standard',
  retryLimit: retries ?? 5,
  retryDelay: 2,
  retryBackoff: true,
  expireInSeconds: timeout ?? 60,
});
