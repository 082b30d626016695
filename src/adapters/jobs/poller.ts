/** Wakes workers when there is something for them: one small question a second for all queues, instead of one for each worker. */
import type { Logger } from 'pino';
import type { Db, Queries } from '../../db/handles.ts';

const everyMs = 1000;

const due = `select q.name from unnest($1::text[]) as q(name) where exists (
  select 1 from pgboss.job j where j.name = q.name and j.state < 'active' and j.start_after <= now())`;

/** Those of the queues that have something to do now. */
export const listDueQueues = async (db: Queries, queues: readonly string[]): Promise<string[]> =>
  (await db.sql<{ name: string }>(due, [queues])).map(({ name }) => name);

const counted = `select q.name, waiting.count from unnest($1::text[]) as q(name), lateral (
    select count(*)::int from pgboss.job j where j.name = q.name and j.state < 'active' and ($2 or j.start_after <= now())
  ) waiting where waiting.count > 0`;

/** How many jobs wait in each of the queues that have something to do: now, or ever. */
export async function countWaitingJobs(
  db: Queries,
  queues: readonly string[],
  whenever: boolean,
): Promise<Map<string, number>> {
  const rows = await db.sql<{ name: string; count: number }>(counted, [queues, whenever]);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Begins to look; the function it returns ends that. */
export function startQueuePoller(
  db: Db,
  queues: readonly string[],
  wake: (queue: string) => void,
  log: Logger,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = () => {
    if (!stopped) timer = setTimeout(look, everyMs).unref();
  };
  function look(): void {
    listDueQueues(db, queues)
      .then(
        (names) => names.forEach(wake),
        (error: unknown) => log.warn({ err: error }, 'jobs'),
      )
      .finally(next);
  }
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
