/** Queue poller: one query per second for all queues notifies the workers of those with due jobs, instead of one query per worker. */
import type { Logger } from 'pino';
import type { Db } from '../../db/handles.ts';
import { countWaitingJobs } from '../../vendor/pg-boss/job-tables.ts';

const pollIntervalMs = 1000;

/** Starts polling; the returned function stops it. */
export function startWakingWorkersOfDueQueues(
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
    countWaitingJobs(db, queues, { max: 1 })
      .then(
        (waiting) => [...waiting.keys()].forEach(notifyWorkers),
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
