/** Jobs on pg-boss, in the same database as the changes that cause them. */
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Db, Queries } from '../../db/sql.ts';
import { traceHeaders } from '../../lib/trace.ts';
import { type Job, JobRefused, type Jobs } from '../../ports/jobs.ts';
import { createLastWord, endsJobs } from './last-word.ts';
import { createQueues } from './queues.ts';
import { keepTime } from './timekeeping.ts';
import { createUnderWay, handBack } from './under-way.ts';
import { dueQueues, wakeWorkers } from './waking.ts';

export interface JobRunner<Services> extends Jobs {
  /** Begins to take jobs in this process. */
  start(services: Services): Promise<void>;
  /** Takes no more jobs, lets those at hand finish, and hands back what takes too long. */
  stop(): Promise<void>;
  /** Runs what is waiting now, once, and returns how many jobs that were; a failing job throws. For tests and scripts. */
  drain(services: Services): Promise<number>;
}

/** Workers are woken when there is something to do; this is for what nobody noticed. */
const pollSeconds = 60;
/** A job that takes longer to end when the process stops is handed back. */
const finishMs = 6_000;
/** pg-boss would count what it interrupts as failed; it never gets to do so. */
const neverMs = 3_600_000;
const weekSeconds = 7 * 86_400;
/** What has failed for good waits this long for somebody to look at it. */
const failedSeconds = 90 * 86_400;

export interface JobOptions {
  /** How long finished jobs can still be looked up. */
  keepSeconds?: number;
}

/** Makes the queues of the jobs; the tables come with our own migrations. */
export async function createJobs<Services>(
  db: Db,
  all: readonly Job<Services>[],
  log: Logger,
  { keepSeconds = weekSeconds }: JobOptions = {},
): Promise<JobRunner<Services>> {
  const underWay = createUnderWay();
  const lastWord = createLastWord(log);
  let isBeginning = false;
  const boss = new PgBoss({
    db: {
      async executeSql(text: string, values?: unknown[]) {
        const ask = () => execute(db, text, values);
        const answer = endsJobs(text) ? lastWord.insist(ask) : isBeginning ? lastWord.begin(ask) : ask();
        return { rows: await underWay.statement(answer) };
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
  await createQueues(db, all);
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
        id = await boss.work<object>(job.name, { pollingIntervalSeconds: pollSeconds }, async ([queued]) => {
          if (!queued) return;
          // More may be waiting: the worker pauses only when it finds nothing.
          boss.notifyWorker(id);
          await underWay.job(queued.id, runOne(job, services, queued, { db, log }));
        });
        workers.get(job.name)?.push(id);
      }
      if (job.policy.atStart) await boss.send(job.name, {});
    }
    const wake = (queue: string) => {
      for (const id of workers.get(queue) ?? []) boss.notifyWorker(id);
    };
    stopWaking = wakeWorkers(db, [...workers.keys()], wake, log);
    const times = all.flatMap(({ name, policy: { cron } }) => (cron === undefined ? [] : [{ name, cron }]));
    const send = (tx: Queries, names: string[]) =>
      boss.insert(
        names.map((name) => ({ name, singletonSeconds: 60 })),
        { db: within(tx) },
      );
    stopTimes = keepTime(db, times, send, log);
    isBeginning = false;
  }

  async function stop(): Promise<void> {
    lastWord.stop();
    await starting?.catch(() => {});
    stopWaking();
    void underWay.statement(stopTimes());
    await boss.stop({ graceful: true, wait: false, close: false, timeout: neverMs });
    const left = await underWay.ended(finishMs);
    if (left.length > 0) log.warn({ jobs: left }, 'jobs did not end in time and are handed back');
    await handBack(db, left).catch((error: unknown) =>
      log.warn({ err: error }, 'jobs are begun again when their time is over'),
    );
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
          ...(options.behind === undefined ? {} : { priority: -options.behind }),
        },
      );
    },
    async forget(queries, addresses, until) {
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
    async drain(services) {
      let count = 0;
      const names = all.map(({ name }) => name);
      let due = await dueQueues(db, names);
      for (const job of all) {
        if (!due.includes(job.name)) continue;
        for (;;) {
          const [queued] = await boss.fetch<object>(job.name);
          if (!queued) break;
          await job.run(services, queued.data ?? {}).then(
            () => boss.complete(job.name, queued.id),
            async (error: unknown) => {
              if (!(error instanceof JobRefused)) throw error;
              await takeTries(db, queued.id);
              await boss.fail(job.name, queued.id, error);
            },
          );
          count += 1;
        }
        // Jobs ask for others.
        due = await dueQueues(db, names);
      }
      return count;
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

async function runOne<Services>(
  job: Job<Services>,
  services: Services,
  queued: PgBoss.Job<object>,
  { db, log }: { db: Db; log: Logger },
) {
  try {
    await job.run(services, queued.data ?? {});
  } catch (error) {
    const isRefused = error instanceof JobRefused;
    if (isRefused) await takeTries(db, queued.id);
    const what = isRefused ? 'job refused, not tried again' : 'job failed, will be tried again';
    log.warn({ err: error, queue: job.name, job: queued.id }, what);
    throw error;
  }
}

/** Failing for the last time is failing for good. */
const takeTries = (db: Db, id: string) =>
  db.sql('update pgboss.job set retry_limit = retry_count where id = $1::uuid', [id]);
