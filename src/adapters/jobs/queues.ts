/** The queues of pg-boss: each is a table, which takes a moment to make. */
import type { Queries } from '../../db/handles.ts';
import type { JobPolicy } from '../../ports/jobs.ts';

interface Queue {
  readonly name: string;
  readonly policy: JobPolicy;
}

type Ask = (text: string, params: unknown[]) => Promise<unknown>;

// Any number will do, as long as nothing else in the database takes the same advisory lock.
const queueLock = 682_904_117;

interface StoredQueue {
  name: string;
  retries: number | null;
  timeout: number | null;
}

/** In one process at a time: those that start in the same moment would wait for each other's half-made tables. */
export async function createJobQueues(db: Queries, all: readonly Queue[]): Promise<void> {
  const stored = await db.sql<StoredQueue>(
    'select name, retry_limit as retries, expire_seconds as timeout from pgboss.queue',
  );
  const known = new Map(stored.map((queue) => [queue.name, queue]));
  const missing = all.filter(({ name }) => !known.has(name));
  // A queue of an earlier version follows what its job says today.
  for (const { name, policy } of all) {
    const { retryLimit, expireInSeconds } = optionsOf(policy);
    const queue = known.get(name);
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

export const createJobQueue = (ask: Ask, { name, policy }: Queue): Promise<unknown> =>
  ask('select pgboss.create_queue($1, $2)', [name, JSON.stringify(optionsOf(policy))]);

const optionsOf = ({ deduplicateByKey: keyed, retries, timeout }: JobPolicy) => ({
  policy: keyed ? 'short' : 'standard',
  retryLimit: retries ?? 5,
  retryDelay: 2,
  retryBackoff: true,
  expireInSeconds: timeout ?? 60,
});
