/** Queue poller: one query per second for all queues notifies the workers of those with due jobs, instead of one query per worker. */
import type { Logger } from 'pino';
import type { Db, QueryHandle } from '../../db/handles.ts';

const pollIntervalMs = 1000;

const dueQueuesSql = `select q.name from unnest($1::text[]) as q(name) where exists (
  select 1 from pgboss.job j where j.name = q.name and j.state < 'active' and j.start_after <= now())`;

/** Names of the queues with due jobs. */
export const listDueQueues = async (db: QueryHandle, queues: readonly string[]): Promise<string[]> =>
  (await db.sql<{ name: string }>(dueQueuesSql, [queues])).map(({ name }) => name);

const waitingJobsSql = `select q.name, waiting.count from unnest($1::text[]) as q(name), lateral (
    select count(*)::int from pgboss.job j where j.name = q.name and j.state < 'active' and ($2 or j.start_after <= now())
  ) waiting where waiting.count > 0`;

/** Number of waiting jobs per queue, queues without any omitted. With `includeScheduled`, also jobs whose start time is in the future. */
export async function countWaitingJobs(
  db: QueryHandle,
  queues: readonly string[],
  includeScheduled: boolean,
): Promise<Map<string, number>> {
  const rows = await db.sql<{ name: string; count: number }>(waitingJobsSql, [queues, includeScheduled]);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Starts polling; the returned function stops it. */
export function startQueuePoller(
  db: Db,
  queues: readonly string[],
  notifyWorkers: (queue: string) => void,
  log: Logger,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const scheduleNext = () => {
    if (!isStopped) timer = setTimeout(poll, pollIntervalMs).unref();
  };
  function poll(): void {
    listDueQueues(db, queues)
      .then(
        (names) => names.forEach(notifyWorkers),
        (error: unknown) => log.warn({ err: error }, 'queue poll failed'),
      )
      .finally(scheduleNext);
  }
  scheduleNext();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
