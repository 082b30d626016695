/** Serves the gateway: applies migrations, listens, starts the jobs, and shuts down on a signal. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMediaStore } from '../adapters/media/create-media-store.ts';
import { type AppOptions, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { hasTrigramSupport } from '../db/pg-trgm-support.ts';
import { createMetricsServer } from '../http/metrics-endpoint.ts';
import { createHttpServer } from '../http/server/http-server.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { seedDemo } from '../seed/demo.ts';
import { listenForCommands } from './control-socket.ts';
import { findDatabaseCommand } from './database-commands.ts';
import { shutDownOnSignal } from './graceful-shutdown.ts';
import { migrateDatabase } from './open-database.ts';
import { startupBanner } from './startup-banner.ts';

const jobsDelayMs = 1_000;

/** `afterShutdown` is awaited as the last step of the shutdown. */
export async function serveGateway(options: AppOptions, afterShutdown: () => unknown): Promise<void> {
  const { config, db, log, prometheus } = options;
  const appliedMigrations = await migrateDatabase(db);
  if (appliedMigrations.length > 0) log.info({ applied: appliedMigrations }, 'migrations applied');
  if (!(await hasTrigramSupport(db)))
    log.warn('search does not tolerate typing errors: the extension pg_trgm is missing');
  const { publicUrl, secretsKeys } = config;
  const openStore = () => createMediaStore(config.media);
  const isSeeded = config.seedDemo && (await seedDemo(db, publicUrl, openStore, secretsKeys));
  if (isSeeded) log.info('demo data created');

  const app = await createApp(options);
  const server = createHttpServer(app.dispatch, { isStopping: () => app.isStopping });
  const { metrics } = config;
  const metricsServer =
    prometheus && metrics?.port !== undefined ? createMetricsServer(prometheus, metrics.token) : undefined;
  if (metricsServer)
    await listen(metricsServer, { port: metrics?.port ?? 0, host: config.host }, 'METRICS_PORT');
  await listen(server, config);
  // The first requests are served before the jobs start, which keep an embedded database busy for a while.
  const startDelay = new AbortController();
  const jobsStarting = sleep(jobsDelayMs, undefined, { signal: startDelay.signal })
    .then(() => (app.isStopping ? undefined : app.start()))
    .catch((error: unknown) => {
      // A shutdown during the delay aborts it; this is not an error.
      if (!app.isStopping) throw error;
    });
  const controlServer = db.embedded
    ? await listenForCommands(config.dataDir, { config, db }, findDatabaseCommand)
    : undefined;

  shutDownOnSignal({
    app,
    server,
    db,
    log,
    drainMs: config.drainSeconds * 1000,
    otherServers: [controlServer, metricsServer, { close: () => startDelay.abort() }].filter(
      (server) => server !== undefined,
    ),
    jobsStarting,
    afterShutdown,
  });
  console.log(startupBanner(config));
  await jobsStarting;
}

function listen(
  server: Server,
  { port, host }: Pick<Config, 'port' | 'host'>,
  variable = 'PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(explainListenError(error, variable, port, host)),
    );
    server.listen(port, host, resolve);
  });
}

function explainListenError(
  error: NodeJS.ErrnoException,
  variable: string,
  port: number,
  host: string | undefined,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `${variable}: ${port} is taken by another process. Stop that one, or choose another port.`,
      );
    case 'EACCES':
      return new OperatorError(`${variable}: this user may not listen on ${port}. Choose a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        `HOST: ${host} is not an address of this machine. Correct it, or leave it out.`,
      );
    default:
      return error;
  }
}
