/** The gateway at work: app, socket, jobs. */
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
import { upgradeDatabase } from './open-database.ts';
import { startupBanner } from './startup-banner.ts';

const jobsLaterMs = 1_000;

/** `atLast` is awaited when everything else has ended. */
export async function serve(options: AppOptions, atLast: () => unknown): Promise<void> {
  const { config, db, log, prometheus } = options;
  const applied = await upgradeDatabase(db);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  if (!(await hasTrigramSupport(db))) log.warn('search does not forgive typing mistakes: pg_trgm is missing');
  const { publicUrl, secretsKeys } = config;
  const openStore = () => createMediaStore(config.media);
  const seeded = config.seedDemo && (await seedDemo(db, publicUrl, openStore, secretsKeys));
  if (seeded) log.info('demo data created');

  const app = await createApp(options);
  const server = createHttpServer(app.dispatch, { isStopping: () => app.isStopping });
  const { metrics } = config;
  const scraped =
    prometheus && metrics?.port !== undefined ? createMetricsServer(prometheus, metrics.token) : undefined;
  if (scraped) await listen(scraped, { port: metrics?.port ?? 0, host: config.host }, 'METRICS_PORT');
  await listen(server, config);
  // Whoever waited for the start is answered first: to begin with jobs keeps an embedded database busy for a while.
  const waiting = new AbortController();
  const starting = sleep(jobsLaterMs, undefined, { signal: waiting.signal })
    .then(() => (app.isStopping ? undefined : app.start()))
    .catch((error: unknown) => {
      // Whoever is told to stop meanwhile ends as always.
      if (!app.isStopping) throw error;
    });
  const control = db.embedded
    ? await listenForCommands(config.dataDir, { config, db }, findDatabaseCommand)
    : undefined;

  shutDownOnSignal({
    app,
    server,
    db,
    log,
    drainMs: config.drainSeconds * 1000,
    otherServers: [control, scraped, { close: () => waiting.abort() }].filter((other) => other !== undefined),
    jobsStarting: starting,
    afterShutdown: atLast,
  });
  console.log(startupBanner(config));
  await starting;
}

function listen(
  server: Server,
  { port, host }: Pick<Config, 'port' | 'host'>,
  variable = 'PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(explainListen(error, variable, port, host)),
    );
    server.listen(port, host, resolve);
  });
}

function explainListen(
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
