/** Several database servers: services for each, with its own job runner and live updates. */
import { createJobRunner } from '../adapters/jobs/pg-boss.ts';
import type { Services } from '../context.ts';
import {
  findLostSessionsJob,
  findRecentSessionsJob,
} from '../domains/payments/reconcile/find-and-record-unrecorded-sessions.ts';
import { eraseUsersJob } from '../domains/users/privacy/erase-users.ts';
import { instrumentJob } from '../instrument-ports-and-jobs.ts';
import { createLiveUpdates, type LiveOptions, type LiveUpdates } from '../live/live-updates.ts';
import { allJobs } from '../maintenance/all-jobs.ts';
import { openBusinessDirectory } from '../shards/business-directory.ts';
import { createBusinessServers } from './business-servers.ts';
import { type BusinessServer, createServerDbs } from './server-dbs.ts';

/** They read accounts, or the payments of all servers. */
const jobsOfHomeServer: ReadonlySet<string> = new Set(
  [eraseUsersJob, findLostSessionsJob, findRecentSessionsJob].map(({ name }) => name),
);

type JobRunner = Awaited<ReturnType<typeof createJobRunner<Services>>>;

interface Server {
  readonly jobs: JobRunner;
  readonly live: LiveUpdates;
  readonly services: Services;
}

/** Job runners and live updates of all servers; like the functions of the app. */
interface ServicesOfServers {
  /** Services of the home server. */
  readonly services: Services;
  start(): Promise<void>;
  beginShutdown(): void;
  stop(): Promise<void>;
  drainJobs(includeScheduled?: boolean): Promise<number>;
}

interface HomeServer {
  /** As if there was no other server. */
  services: Services;
  jobs: JobRunner;
}

export async function createServicesOfServers(
  home: HomeServer,
  servers: readonly BusinessServer[],
  liveOptions: LiveOptions | undefined,
): Promise<ServicesOfServers> {
  const { live, log } = home.services;
  const { all, close } =
    servers.length === 0
      ? { all: [{ ...home, live }], close: async () => {} }
      : await openSeveralServers(home, servers, liveOptions);
  return {
    services: all[0]?.services ?? home.services,
    async start() {
      await Promise.all(all.map(({ jobs, services }) => jobs.start(services)));
    },
    beginShutdown() {
      for (const server of all) {
        server.live.stop();
        void server.jobs
          .stop()
          .catch((error: unknown) => log.warn({ err: error }, 'the job runner did not stop cleanly'));
      }
    },
    async stop() {
      await close();
      await Promise.all(all.map((server) => server.live.close()));
      await Promise.all(all.map(({ jobs }) => jobs.stop()));
    },
    async drainJobs(includeScheduled) {
      let count = 0;
      for (const { jobs, services } of all) count += await jobs.drain(services, includeScheduled);
      return count;
    },
  };
}

async function openSeveralServers(
  home: HomeServer,
  servers: readonly BusinessServer[],
  liveOptions: LiveOptions | undefined,
): Promise<{ all: readonly Server[]; close(): Promise<void> }> {
  const { services: base } = home;
  const { config, log, metrics } = base;
  const definitions = allJobs
    .filter(({ name }) => !jobsOfHomeServer.has(name))
    .map((job) => instrumentJob(metrics, job));
  const options = { retentionSeconds: config.retention.jobs };
  const others = await Promise.all(
    servers.map(async ({ name, db }) => ({
      name,
      jobs: await createJobRunner(db, definitions, log, options),
      live: createLiveUpdates(db, log, liveOptions),
    })),
  );
  const directory = await openBusinessDirectory(base.db, log, (businessId) => {
    for (const { live } of [base, ...others]) live.interrupt(businessId);
  });
  const { all } = createBusinessServers({
    directory,
    dbs: await createServerDbs(base.db, servers),
    servers,
    homeServerWeight: config.homeServerWeight,
    createServices(name, db, businessServers) {
      const { jobs, live } = others.find((other) => other.name === name) ?? base;
      return { ...base, db, jobs, live, servers: businessServers };
    },
  });
  const runners = [{ jobs: home.jobs, live: base.live }, ...others];
  return {
    all: runners.map(({ jobs, live }, index) => ({ jobs, live, services: all[index] ?? base })),
    close: directory.close,
  };
}
