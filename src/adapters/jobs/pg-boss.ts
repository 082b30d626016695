/** Jobs on pg-boss, in the same database as the changes that cause them. */
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../db/sql.ts';
import type { JobHandler, Jobs } from '../../ports/jobs.ts';

export interface JobRunner<Services> extends Jobs {
  /** Begins to take jobs in this process. */
  start(services: Services): Promise<void>;
  /** Lets the jobs at hand finish and takes no more. */
  stop(): Promise<void>;
  /** Runs what is waiting now, once, and returns how many jobs that were; a failing job throws. For tests and scripts. */
  drain(services: Services): Promise<number>;
}

const pollSeconds = 1;

/** Makes the queues of the handlers; the tables come with our own migrations. */
export async function createJobs<Services>(
  db: Db,
  handlers: readonly JobHandler<Services>[],
  log: Logger,
): Promise<JobRunner<Services>> {
  const boss = new PgBoss({
    db: {
      executeSql: async (text: string, values?: unknown[]) => ({ rows: await execute(db, text, values) }),
    },
    migrate: false,
    schedule: handlers.some((handler) => handler.policy?.cron),
    // How soon jobs of a process that died are noticed.
    maintenanceIntervalSeconds: 10,
    cronMonitorIntervalSeconds: 10,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'jobs'));
  await createQueues(db, boss, handlers);

  return {
    async enqueue(queries, name, data, options = {}) {
      await boss.send(name, data, {
        db: { executeSql: async (text, values) => ({ rows: await queries.sql(text, values) }) },
        ...(options.startAt === undefined ? {} : { startAfter: new Date(options.startAt * 1000) }),
        ...(options.key === undefined ? {} : { singletonKey: options.key }),
      });
    },
    async start(services) {
      await boss.start();
      for (const handler of handlers) {
        for (let worker = 0; worker < (handler.policy?.concurrency ?? 1); worker += 1) {
          let id = '';
          id = await boss.work<object>(
            handler.name,
            { pollingIntervalSeconds: pollSeconds },
            async ([job]) => {
              if (!job) return;
              // More may be waiting: the worker pauses only when it finds nothing.
              boss.notifyWorker(id);
              await runOne(handler, services, job, log);
            },
          );
        }
        if (handler.policy?.cron) await boss.schedule(handler.name, handler.policy.cron);
        if (handler.policy?.atStart) await boss.send(handler.name, {});
      }
    },
    stop: () => boss.stop({ graceful: true, wait: true, close: false, timeout: 10_000 }),
    async drain(services) {
      let count = 0;
      for (const handler of handlers) {
        for (;;) {
          const [job] = await boss.fetch<object>(handler.name);
          if (!job) break;
          await handler.run(services, job.data ?? {});
          await boss.complete(handler.name, job.id);
          count += 1;
        }
      }
      return count;
    },
  };
}

/** pg-boss keeps house with scripts of several statements; those have no parameters. */
const execute = (db: Db, text: string, values: unknown[] | undefined): Promise<unknown[]> =>
  values && values.length > 0 ? db.sql(text, values) : db.script(text);

async function createQueues<Services>(db: Db, boss: PgBoss, handlers: readonly JobHandler<Services>[]) {
  const known = new Set(
    (await db.sql<{ name: string }>('select name from pgboss.queue')).map((row) => row.name),
  );
  for (const { name, policy = {} } of handlers) {
    if (known.has(name)) continue;
    await boss
      .createQueue(name, {
        name,
        policy: policy.keyed ? 'short' : 'standard',
        retryLimit: policy.retries ?? 5,
        retryDelay: 2,
        retryBackoff: true,
        expireInSeconds: policy.timeout ?? 60,
      })
      .catch(async (error: unknown) => {
        // Another process may have made it in the same moment.
        if (!(await boss.getQueue(name))) throw error;
      });
  }
}

async function runOne<Services>(
  handler: JobHandler<Services>,
  services: Services,
  job: PgBoss.Job<object>,
  log: Logger,
) {
  try {
    await handler.run(services, job.data ?? {});
  } catch (error) {
    log.warn({ err: error, queue: handler.name, job: job.id }, 'job failed, will be tried again');
    throw error;
  }
}
