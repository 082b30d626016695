/** Job runner on pg-boss. Jobs are enqueued in the transaction of the change that causes them. */
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Db, QueryHandle } from '../../db/handles.ts';
import { buildTraceHeaders } from '../../lib/tracing.ts';
import { type JobDefinition, type JobEnqueuer, PermanentJobError } from '../../ports/jobs.ts';
import {
  addDataDiscardToCompletionSql,
  changeJobs,
  countWaitingJobs,
  deleteJobsOfAddresses,
} from '../../vendor/pg-boss/job-tables.ts';
import { createJobQueues, createPgBossHandle } from './create-queues.ts';
import { startCronScheduler } from './cron-scheduler-on-database-clock.ts';
import { createCompletionStatementRewriter } from './discard-completed-job-data.ts';
import { createInFlightJobs } from './in-flight-jobs.ts';
import { createJobCompletionRetry } from './retry-job-completion-statements.ts';
import { startWakingWorkersOfDueQueues } from './wake-workers-of-due-queues.ts';

interface JobRunner<Services> extends JobEnqueuer {
  /** Starts the workers of this process. */
  start(services: Services): Promise<void>;
  /** Fetches no more jobs, waits up to six seconds for the running ones, and requeues the rest. */
  stop(): Promise<void>;
  /**
   * Runs jobs until none is waiting, and returns their number; throws when a job fails. With `includeScheduled`, also runs jobs whose start time
   * is in the future. For tests and scripts.
   */
  drain(services: Services, includeScheduled?: boolean): Promise<number>;
}

/** Fallback poll interval of a worker; normally the queue poller notifies it. */
const pollSeconds = 60;
/** Running jobs that take longer than this during a shutdown are requeued. */
const shutdownWaitMs = 6_000;
/** Longer than any shutdown, because pg-boss marks the jobs that it interrupts as failed. */
const bossStopTimeoutMs = 3_600_000;
/** Jobs of a coalescing queue that one run covers; more are left to the next worker. */
const maxCoalesced = 10;
/** Jobs of one queue that `drain` runs before it looks at the other queues again. */
const maxDrained = 1_000_000;
const defaultRetentionSeconds = 7 * 86_400;
/** Retention of permanently failed jobs, so that an operator can retry them. */
const failedRetentionSeconds = 90 * 86_400;

interface JobRunnerOptions {
  /** Retention of finished jobs in seconds. Default: one week. */
  retentionSeconds?: number;
}

/** Creates the job runner and its queues. The tables of pg-boss are created by the migrations. */
export async function createJobRunner<Services>(
  db: Db,
  jobs: readonly JobDefinition<Services>[],
  log: Logger,
  { retentionSeconds = defaultRetentionSeconds }: JobRunnerOptions = {},
): Promise<JobRunner<Services>> {
  const inFlight = createInFlightJobs();
  const discardData = createCompletionStatementRewriter(jobs);
  const completionRetry = createJobCompletionRetry(log);
  let isStartingUp = false;
  const boss = new PgBoss({
    db: {
      async executeSql(text: string, values?: unknown[]) {
        const run = () => execute(db, discardData(text, values), values);
        const result =
          addDataDiscardToCompletionSql(text) !== undefined
            ? completionRetry.retryCompletion(run)
            : isStartingUp
              ? completionRetry.retryStartup(run)
              : run();
        return { rows: await inFlight.trackStatement(result) };
      },
    },
    migrate: false,
    schedule: false,
    deleteAfterSeconds: retentionSeconds,
    archiveFailedAfterSeconds: failedRetentionSeconds,
    // Interval at which jobs of a dead process are detected.
    maintenanceIntervalSeconds: 10,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'pg-boss error'));
  await createJobQueues(db, jobs);
  let stopPoller = () => {};
  let stopScheduler = async () => {};
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  async function start(services: Services): Promise<void> {
    isStartingUp = true;
    await boss.start();
    const workers = new Map<string, string[]>(jobs.map(({ name }) => [name, []]));
    for (const job of jobs) {
      for (let worker = 0; worker < (job.policy.concurrency ?? 1); worker += 1) {
        let id = '';
        const options = { pollingIntervalSeconds: pollSeconds, batchSize: batchSizeOf(job) };
        id = await boss.work<object>(job.name, options, async (queued) => {
          if (queued.length === 0) return;
          // Fetch again immediately, because more jobs may be waiting.
          boss.notifyWorker(id);
          await inFlight.trackJobs(idsOf(queued), runOnce(job, services, queued, { db, log }));
        });
        workers.get(job.name)?.push(id);
      }
      if (job.policy.atStart) await boss.send(job.name, {});
    }
    const wake = (queue: string) => {
      for (const id of workers.get(queue) ?? []) boss.notifyWorker(id);
    };
    stopPoller = startWakingWorkersOfDueQueues(db, [...workers.keys()], wake, log);
    const schedules = jobs.flatMap(({ name, policy: { cron } }) =>
      cron === undefined ? [] : [{ name, cron }],
    );
    const send = (tx: QueryHandle, names: string[]) =>
      boss.insert(
        names.map((name) => ({ name, singletonSeconds: 60 })),
        { db: createPgBossHandle(tx) },
      );
    stopScheduler = startCronScheduler(db, schedules, send, log);
    isStartingUp = false;
  }

  async function stop(): Promise<void> {
    completionRetry.stop();
    await starting?.catch(() => {});
    stopPoller();
    void inFlight.trackStatement(stopScheduler());
    await boss.stop({ graceful: true, wait: false, close: false, timeout: bossStopTimeoutMs });
    const remaining = await inFlight.waitUntilIdle(shutdownWaitMs);
    if (remaining.length === 0) return;
    log.warn({ jobs: remaining }, 'jobs still running at shutdown: requeued');
    await changeJobs(db, 'requeueRunning', remaining).catch((error: unknown) =>
      log.warn({ err: error }, 'jobs could not be requeued: they run again after their timeout'),
    );
  }

  /** Runs the next job, or up to ten jobs of a coalescing queue in one run; returns their number. */
  async function drainNext(
    job: JobDefinition<Services>,
    services: Services,
    includeScheduled: boolean,
  ): Promise<number> {
    const queued = await boss.fetch<object>(job.name, {
      batchSize: batchSizeOf(job),
      ignoreStartAfter: includeScheduled,
    });
    const ids = idsOf(queued);
    if (ids.length === 0) return 0;
    try {
      await job.run(services, queued[0]?.data ?? {});
    } catch (error) {
      if (!(error instanceof PermanentJobError)) throw error;
      await changeJobs(db, 'exhaustRetries', ids);
      for (const id of ids) await boss.fail(job.name, id, error);
      return ids.length;
    }
    await boss.complete(job.name, ids);
    return ids.length;
  }

  return {
    async enqueue(queries, { name }, data, options = {}) {
      // A scheduled job starts its own trace; otherwise a trace could last for months.
      const trace = options.startAt === undefined ? buildTraceHeaders() : {};
      await boss.send(
        name,
        { ...data, ...trace },
        {
          db: createPgBossHandle(queries),
          ...(options.startAt === undefined ? {} : { startAfter: new Date(options.startAt * 1000) }),
          ...(options.key === undefined ? {} : { singletonKey: options.key }),
          ...(options.fairnessRank === undefined ? {} : { priority: -options.fairnessRank }),
        },
      );
    },
    deleteForAddresses: deleteJobsOfAddresses,
    start(services) {
      starting ??= start(services);
      return starting;
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
    async drain(services, includeScheduled = false) {
      const names = jobs.map(({ name }) => name);
      // Jobs may enqueue further jobs.
      for (let count = 0; ; ) {
        const waiting = await countWaitingJobs(db, names, { includeScheduled, max: maxDrained });
        const before = count;
        for (const job of jobs)
          for (let remaining = waiting.get(job.name) ?? 0; remaining > 0; ) {
            const run = await drainNext(job, services, includeScheduled);
            count += run;
            remaining = run === 0 ? 0 : remaining - run;
          }
        if (count === before) return count;
      }
    },
  };
}

/** The maintenance scripts of pg-boss have several statements and no parameters. */
const execute = (db: Db, text: string, values: unknown[] | undefined): Promise<unknown[]> =>
  values && values.length > 0 ? db.sql(text, values) : db.script(text);

const batchSizeOf = ({ policy: { coalesce } }: JobDefinition<never>): number => (coalesce ? maxCoalesced : 1);

const idsOf = (queued: readonly PgBoss.Job<object>[]): string[] => queued.map(({ id }) => id);

/** Runs the fetched job; of a coalescing queue, one run covers all fetched jobs. */
async function runOnce<Services>(
  job: JobDefinition<Services>,
  services: Services,
  queued: readonly PgBoss.Job<object>[],
  { db, log }: { db: Db; log: Logger },
) {
  try {
    await job.run(services, queued[0]?.data ?? {});
  } catch (error) {
    const isPermanent = error instanceof PermanentJobError;
    const ids = idsOf(queued);
    if (isPermanent) await changeJobs(db, 'exhaustRetries', ids);
    const message = isPermanent ? 'job failed permanently' : 'job failed, will be retried';
    log.warn({ err: error, queue: job.name, job: ids.join() }, message);
    throw error;
  }
}
