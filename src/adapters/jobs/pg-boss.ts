/** Jobs on pg-boss, in the same database as the changes that cause them. */
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Db, Queries } from '../../db/handles.ts';
import { traceHeaders } from '../../lib/tracing.ts';
import { type Job, type Jobs, PermanentJobError } from '../../ports/jobs.ts';
import { createCompletionRetry, isJobCompletionStatement } from './completion-retry.ts';
import { startCronScheduler } from './cron.ts';
import { createInFlightJobs, requeueJobs } from './in-flight.ts';
import { countWaitingJobs, startQueuePoller } from './poller.ts';
import { createJobQueues } from './queues.ts';

export interface JobRunner<Services> extends Jobs {
  /** Begins to take jobs in this process. */
  start(services: Services): Promise<void>;
  /** Takes no more jobs, lets those at hand finish, and hands back what takes too long. */
  stop(): Promise<void>;
  /**
   * Runs jobs until none is waiting, and returns how many that were; a failing job throws. `whenever`: those for later, too.
   * For tests and scripts.
   */
  drain(services: Services, whenever?: boolean): Promise<number>;
}

/** Workers are woken when there is something to do; this is for what nobody noticed. */
const pollSeconds = 60;
/** A job that takes longer to end when the process stops is handed back. */
const finishMs = 6_000;
/** pg-boss would count what it interrupts as failed; it never gets to do so. */
const neverMs = 3_600_000;
/** So many nudges at once; what is left is for another worker, if there is so much to do. */
const maxNudges = 10;
const weekSeconds = 7 * 86_400;
/** What has failed for good waits this long for somebody to look at it. */
const failedSeconds = 90 * 86_400;

export interface JobRunnerOptions {
  /** How long finished jobs can still be looked up. */
  retentionSeconds?: number;
}

/** Makes the queues of the jobs; the tables come with our own migrations. */
export async function createJobRunner<Services>(
  db: Db,
  all: readonly Job<Services>[],
  log: Logger,
  { retentionSeconds: keepSeconds = weekSeconds }: JobRunnerOptions = {},
): Promise<JobRunner<Services>> {
  const underWay = createInFlightJobs();
  const lastWord = createCompletionRetry(log);
  let isBeginning = false;
  const boss = new PgBoss({
    db: {
      async executeSql(text: string, values?: unknown[]) {
        const ask = () => execute(db, text, values);
        const answer = isJobCompletionStatement(text)
          ? lastWord.retryCompletion(ask)
          : isBeginning
            ? lastWord.retryStartup(ask)
            : ask();
        return { rows: await underWay.trackStatement(answer) };
      },
    },
    migrate: false,
    schedule: false,
    deleteAfterSeconds: keepSeconds,
    archiveFailedAfterSeconds: failedSeconds,
    // How soon jobs of a process that died are noticed.
    maintenanceIntervalSeconds: 10,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'jobs'));
  await createJobQueues(db, all);
  let stopWaking = () => {};
  let stopTimes = async () => {};
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  async function start(services: Services): Promise<void> {
    isBeginning = true;
    await boss.start();
    const workers = new Map<string, string[]>(all.map(({ name }) => [name, []]));
    for (const job of all) {
      for (let worker = 0; worker < (job.policy.concurrency ?? 1); worker += 1) {
        let id = '';
        const options = { pollingIntervalSeconds: pollSeconds, batchSize: batchOf(job) };
        id = await boss.work<object>(job.name, options, async (queued) => {
          if (queued.length === 0) return;
          // More may be waiting: the worker pauses only when it finds nothing.
          boss.notifyWorker(id);
          await underWay.trackJobs(idsOf(queued), runOnce(job, services, queued, { db, log }));
        });
        workers.get(job.name)?.push(id);
      }
      if (job.policy.atStart) await boss.send(job.name, {});
    }
    const wake = (queue: string) => {
      for (const id of workers.get(queue) ?? []) boss.notifyWorker(id);
    };
    stopWaking = startQueuePoller(db, [...workers.keys()], wake, log);
    const times = all.flatMap(({ name, policy: { cron } }) => (cron === undefined ? [] : [{ name, cron }]));
    const send = (tx: Queries, names: string[]) =>
      boss.insert(
        names.map((name) => ({ name, singletonSeconds: 60 })),
        { db: within(tx) },
      );
    stopTimes = startCronScheduler(db, times, send, log);
    isBeginning = false;
  }

  async function stop(): Promise<void> {
    lastWord.stop();
    await starting?.catch(() => {});
    stopWaking();
    void underWay.trackStatement(stopTimes());
    await boss.stop({ graceful: true, wait: false, close: false, timeout: neverMs });
    const left = await underWay.waitUntilIdle(finishMs);
    if (left.length > 0) log.warn({ jobs: left }, 'jobs did not end in time and are handed back');
    await requeueJobs(db, left).catch((error: unknown) =>
      log.warn({ err: error }, 'jobs are begun again when their time is over'),
    );
  }

  /** The next one, or several nudges; returns how many. */
  async function drainSome(job: Job<Services>, services: Services, whenever: boolean): Promise<number> {
    const queued = await boss.fetch<object>(job.name, {
      batchSize: batchOf(job),
      ignoreStartAfter: whenever,
    });
    const ids = idsOf(queued);
    if (ids.length === 0) return 0;
    try {
      await job.run(services, queued[0]?.data ?? {});
    } catch (error) {
      if (!(error instanceof PermanentJobError)) throw error;
      await takeTries(db, ids);
      for (const id of ids) await boss.fail(job.name, id, error);
      return ids.length;
    }
    await boss.complete(job.name, ids);
    return ids.length;
  }

  return {
    async enqueue(queries, { name }, data, options = {}) {
      // What is for later would make a trace of months.
      const trace = options.startAt === undefined ? traceHeaders() : {};
      await boss.send(
        name,
        { ...data, ...trace },
        {
          db: within(queries),
          ...(options.startAt === undefined ? {} : { startAfter: new Date(options.startAt * 1000) }),
          ...(options.key === undefined ? {} : { singletonKey: options.key }),
          ...(options.fairnessRank === undefined ? {} : { priority: -options.fairnessRank }),
        },
      );
    },
    async deleteForAddresses(queries, addresses, until) {
      for (const table of ['job', 'archive'])
        await queries.sql(
          `delete from pgboss.${table}
           where (lower(data ->> 'to') = any($1::text[]) or lower(data ->> 'email') = any($1::text[]))
             and created_on <= $2::timestamptz`,
          [addresses, until.toISOString()],
        );
    },
    start(services) {
      starting ??= start(services);
      return starting;
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
    async drain(services, whenever = false) {
      const names = all.map(({ name }) => name);
      // Jobs ask for others.
      for (let count = 0; ; ) {
        const waiting = await countWaitingJobs(db, names, whenever);
        const before = count;
        for (const job of all)
          for (let left = waiting.get(job.name) ?? 0; left > 0; ) {
            const run = await drainSome(job, services, whenever);
            count += run;
            left = run === 0 ? 0 : left - run;
          }
        if (count === before) return count;
      }
    },
  };
}

/** For what has to happen together with something else. */
const within = (queries: Queries): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await queries.sql(text, values) }),
});

/** pg-boss keeps house with scripts of several statements; those have no parameters. */
const execute = (db: Db, text: string, values: unknown[] | undefined): Promise<unknown[]> =>
  values && values.length > 0 ? db.sql(text, values) : db.script(text);

const batchOf = ({ policy: { coalesce: nudge } }: Job<never>): number => (nudge ? maxNudges : 1);

const idsOf = (queued: readonly PgBoss.Job<object>[]): string[] => queued.map(({ id }) => id);

/** Runs the job that was fetched, or the first of several nudges for all of them. */
async function runOnce<Services>(
  job: Job<Services>,
  services: Services,
  queued: readonly PgBoss.Job<object>[],
  { db, log }: { db: Db; log: Logger },
) {
  try {
    await job.run(services, queued[0]?.data ?? {});
  } catch (error) {
    const isRefused = error instanceof PermanentJobError;
    const ids = idsOf(queued);
    if (isRefused) await takeTries(db, ids);
    const what = isRefused ? 'job refused, not tried again' : 'job failed, will be tried again';
    log.warn({ err: error, queue: job.name, job: ids.join() }, what);
    throw error;
  }
}

/** Failing for the last time is failing for good. */
const takeTries = (db: Db, ids: readonly string[]) =>
  db.sql('update pgboss.job set retry_limit = retry_count where id = any($1::uuid[])', [ids]);
