/** Several database servers: services for each, with its own job runner and live updates. */
import { createJobRunner } from './adapters/jobs/pg-boss.ts';
import { type BusinessServer, createBusinessServers, createServerDbs } from './business-servers.ts';
import type { Services } from './context.ts';
import {
  findLostSessionsJob,
  findRecentSessionsJob,
} from './domains/payments/reconcile/find-and-record-unrecorded-sessions.ts';
import { eraseUsersJob } from './domains/users/privacy/erase-users.ts';
import { instrumentJob } from './instrument-ports-and-jobs.ts';
import { createLiveUpdates, type LiveOptions } from './live/live-updates.ts';
import { allJobs } from './maintenance/all-jobs.ts';
import { openBusinessDirectory } from './shards/business-directory.ts';

/** They read accounts, or the payments of all servers. */
const jobsOfHomeServer: ReadonlySet<string> = new Set(
  [eraseUsersJob, findLostSessionsJob, findRecentSessionsJob].map(({ name }) => name),
);

export interface ServicesOfServers {
  /** Services of the home server. */
  readonly services: Services;
  /** Of the other servers; like the functions of the app. */
  start(): Promise<void>;
  beginShutdown(): void;
  stop(): Promise<void>;
  drainJobs(includeScheduled?: boolean): Promise<number>;
}

/** `base`: services of the home server, as if there was no other. */
export async function createServicesOfServers(
  base: Services,
  servers: readonly BusinessServer[],
  liveOptions: LiveOptions | undefined,
): Promise<ServicesOfServers> {
  const { config, log, metrics } = base;
  const definitions = allJobs
    .filter(({ name }) => !jobsOfHomeServer.has(name))
    .map((job) => instrumentJob(metrics, job));
  const others = await Promise.all(
    servers.map(async ({ name, db }) => ({
      name,
      jobs: await createJobRunner(db, definitions, log, { retentionSeconds: config.retention.jobs }),
      live: createLiveUpdates(db, log, liveOptions),
    })),
  );
  const directory = await openBusinessDirectory(base.db, log);
  const businessServers = createBusinessServers({
    directory,
    dbs: await createServerDbs(base.db, servers),
    servers,
    homeServerWeight: config.homeServerWeight,
    createServices(name, db, all) {
      const other = others.find((candidate) => candidate.name === name);
      return {
        ...base,
        db,
        jobs: other?.jobs ?? base.jobs,
        live: other?.live ?? base.live,
        servers: all,
      };
    },
  });
  const [services = base, ...servicesOfOthers] = businessServers.all;
  const runners = others.map(({ jobs }, index) => ({ jobs, services: servicesOfOthers[index] ?? services }));
  return {
    services,
    async start() {
      await Promise.all(runners.map((runner) => runner.jobs.start(runner.services)));
    },
    beginShutdown() {
      for (const { jobs, live } of others) {
        live.stop();
        void jobs
          .stop()
          .catch((error: unknown) => log.warn({ err: error }, 'the job runner did not stop cleanly'));
      }
    },
    async stop() {
      await directory.close();
      await Promise.all(others.map(({ live }) => live.close()));
      await Promise.all(others.map(({ jobs }) => jobs.stop()));
    },
    async drainJobs(includeScheduled) {
      let count = 0;
      for (const runner of runners) count += await runner.jobs.drain(runner.services, includeScheduled);
      return count;
    },
  };
}
