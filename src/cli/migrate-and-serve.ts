/** Serves the gateway: applies migrations, listens, starts the jobs, and shuts down on a signal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createMediaStore } from '../adapters/media/create-media-store.ts';
import { findMediaFolderProblem } from '../adapters/media/disk.ts';
import { type AppOptions, createApp } from '../app.ts';
import { hasTrigramSupport } from '../db/detect-pg-trgm.ts';
import { createMetricsServer } from '../http/metrics-endpoint.ts';
import { createHttpServer } from '../http/server/http-server.ts';
import { serveGraphqlSockets } from '../http/sockets/graphql-sockets.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { packageVersion } from '../lib/package-info.ts';
import type { Logger } from '../log.ts';
import { seedDemo } from '../seed/demo.ts';
import { heapGrowthLimiter } from '../vendor/v8/heap-growth-limits.ts';
import { listenForCommands } from './control-socket.ts';
import { loadDatabaseCommand } from './database-commands-by-name.ts';
import { shutDownOnSignal } from './graceful-shutdown.ts';
import { listenOnPort } from './listen-on-port.ts';
import { migrateDatabase } from './open-and-migrate-databases.ts';
import { formatStartupBanner } from './startup-banner.ts';

const jobsDelayMs = 1_000;

/** A gateway without uploads runs on a file system that is read-only: a folder that cannot be written is a warning. */
async function checkMediaFolder(dir: string, log: Logger): Promise<void> {
  const problem = await findMediaFolderProblem(dir);
  if (problem?.kind === 'not-a-folder') throw new OperatorError(problem.message);
  if (problem) log.warn(problem.message);
}

/** `afterShutdown` is awaited as the last step of the shutdown. */
export async function migrateAndServeGateway(
  options: AppOptions,
  afterShutdown: () => unknown,
): Promise<void> {
  const { config, db, log, prometheus, primary } = options;
  if (!config.media.s3) await checkMediaFolder(config.media.dir, log);
  const { applied, newer } = await migrateDatabase(db);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  if (newer !== undefined) log.warn(newer);
  for (const server of options.servers ?? []) {
    const upgrade = await migrateDatabase(server.db);
    if (upgrade.applied.length > 0)
      log.info({ server: server.name, applied: upgrade.applied }, 'migrations applied');
  }
  if (!(await hasTrigramSupport(db)))
    log.warn('search does not tolerate typing errors: the extension pg_trgm is missing');
  const { publicUrl, secretsKeys } = config;
  const openStore = () => createMediaStore(config.media);
  const isSeeded = config.seedDemo && (await seedDemo(db, publicUrl, openStore, secretsKeys));
  if (isSeeded) log.info('demo data created');

  const app = await createApp(options);
  const isStopping = () => app.isStopping;
  const server = createHttpServer(app.dispatch, { isStopping });
  const { dispatch } = app;
  const sockets = serveGraphqlSockets(server, {
    dispatch,
    trustedProxies: config.trustedProxies,
    isStopping,
  });
  const { metrics } = config;
  const metricsServer =
    prometheus && !primary && metrics?.port !== undefined
      ? createMetricsServer(prometheus, metrics.token)
      : undefined;
  if (metricsServer)
    await listenOnPort(metricsServer, { port: metrics?.port ?? 0, host: config.host }, 'METRICS_PORT');
  await listenOnPort(server, config);
  // The first requests are served before the jobs start, which keep an embedded database busy for a while.
  const startDelay = new AbortController();
  const jobsStarting = sleep(jobsDelayMs, undefined, { signal: startDelay.signal })
    .then(() => (app.isStopping ? undefined : app.start()))
    .catch((error: unknown) => {
      // A shutdown during the delay aborts it; this is not an error.
      if (!app.isStopping) throw error;
    });
  const controlServer = db.embedded
    ? await listenForCommands(config.dataDir, { config, db }, loadDatabaseCommand)
    : undefined;

  shutDownOnSignal({
    app,
    server,
    db,
    log,
    drainMs: config.drainSeconds * 1000,
    otherServers: [sockets, controlServer, metricsServer, { close: () => startDelay.abort() }].filter(
      (server) => server !== undefined,
    ),
    jobsStarting,
    afterShutdown,
    primary,
  });
  // In production the output is a log of JSON lines, except in a terminal.
  if (!primary && (process.stdout.isTTY || !config.production)) console.log(formatStartupBanner(config));
  log.info({ port: config.port, publicUrl, version: packageVersion }, 'listening');
  await jobsStarting;
  heapGrowthLimiter.adapt();
}
