/** Graceful shutdown on SIGTERM and SIGINT: finishes running requests and exits within ten seconds. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Db } from '../db/handles.ts';
import { trackUnusedConnections } from '../http/server/track-unused-connections.ts';
import type { Logger } from '../log.ts';
import type { PrimaryProcessClient } from '../ports/primary-process-client.ts';

/** Connections that are still open after this time are closed. */
const closeConnectionsMs = 8_000;
/** The process exits after this time in any case: orchestrators usually send SIGKILL after ten seconds. */
const forceExitMs = 9_500;

interface ShutdownOptions {
  app: App;
  server: Server;
  db: Db;
  log: Logger;
  /** Time for load balancers to notice the failing readiness check, and for open connections to send their last request. Not on SIGINT. */
  drainMs: number;
  /** Servers and timers to close: metrics server, control socket, delayed start of the jobs. */
  otherServers: readonly { close(): unknown }[];
  /** Resolves when the job workers have started. */
  jobsStarting: Promise<void>;
  /** Last step, after the database was closed. */
  afterShutdown: () => unknown;
  /** Present in a worker, which also stops when it is replaced. */
  primary: PrimaryProcessClient | undefined;
}

export function shutDownOnSignal({
  app,
  server,
  db,
  log,
  drainMs,
  otherServers,
  jobsStarting,
  afterShutdown,
  primary,
}: ShutdownOptions): void {
  const closeUnused = trackUnusedConnections(server);
  let stopping = false;
  /** An error in one step, such as an unreachable database, must not prevent the next steps. */
  const runStep = async (step: () => unknown) => {
    try {
      await step();
    } catch (err) {
      log.warn({ err }, 'a shutdown step failed');
    }
  };
  async function stop(signal: NodeJS.Signals | 'replaced'): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => server.closeAllConnections(), closeConnectionsMs).unref();
    setTimeout(() => process.exit(0), forceExitMs).unref();
    app.beginShutdown();
    // Responses sent meanwhile close their connection. SIGINT comes from a developer's terminal and does not wait.
    if (signal !== 'SIGINT') await sleep(drainMs);
    for (const otherServer of otherServers) otherServer.close();
    server.close(async () => {
      await jobsStarting.catch(() => {});
      for (const step of [() => app.stop(), () => db.close(), afterShutdown]) await runStep(step);
      process.exit(0);
    });
    closeUnused();
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  primary?.onReplaced(() => stop('replaced'));
}
