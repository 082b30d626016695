/** Creates the pg-boss queues. Each queue is a table partition. */
import PgBoss from 'pg-boss';
import type { QueryHandle } from '../../db/handles.ts';
import type { JobPolicy } from '../../ports/jobs.ts';

interface Queue {
  readonly name: string;
  readonly policy: JobPolicy;
}

/** Handle that runs one statement and returns its rows. */
type StatementRunner = Pick<QueryHandle, 'sql'>;

// Arbitrary number that no other advisory lock in the database uses.
const queueLock = 682_904_117;

/** pg-boss database handle that runs its statements on the given handle. */
export const createPgBossHandle = ({ sql }: StatementRunner): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await sql(text, values) }),
});

/** pg-boss for administration: its workers are never started. */
const idlePgBoss = (db: StatementRunner) => new PgBoss({ db: createPgBossHandle(db), migrate: false });

/** The advisory lock serialises processes that start at the same time; they would block each other on the locks of half-created tables. */
export async function createJobQueues(db: QueryHandle, queues: readonly Queue[]): Promise<void> {
  const boss = idlePgBoss(db);
  const storedQueues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  // Updates queues that an earlier version created with another policy.
  for (const { name, policy } of queues) {
    const options = optionsOf(name, policy);
    const stored = storedQueues.get(name);
    if (
      stored &&
      (stored.retryLimit !== options.retryLimit || stored.expireInSeconds !== options.expireInSeconds)
    )
      await boss.updateQueue(name, options);
  }
  const missing = queues.filter(({ name }) => !storedQueues.has(name));
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock($1)', [queueLock]);
    for (const queue of missing) await createJobQueue(tx, queue);
  });
}

export const createJobQueue = (db: StatementRunner, { name, policy }: Queue): Promise<void> =>
  idlePgBoss(db).createQueue(name, optionsOf(name, policy));

const optionsOf = (name: string, { deduplicateByKey: keyed, retries, timeout }: JobPolicy): PgBoss.Queue => ({
  name,
  policy: keyed ? 'short' : 'standard',
  retryLimit: retries ?? 5,
  retryDelay: 2,
  retryBackoff: true,
  expireInSeconds: timeout ?? 60,
});
