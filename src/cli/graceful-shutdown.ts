/** The end of a gateway: told to stop, it loses no request and has ended within ten seconds. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Db } from '../db/handles.ts';
import { trackUnusedConnections } from '../http/server/unused-connections.ts';
import type { Logger } from '../log.ts';

/** Requests and streams that take longer than this are cut off. */
const cutOffMs = 8_000;
/** Whatever happens, it has ended by then: who started it may send SIGKILL after ten seconds. */
const lastMomentMs = 9_500;

export interface ShutdownOptions {
  app: App;
  server: Server;
  db: Db;
  log: Logger;
  /** How long load balancers have to notice before new connections are refused. */
  drainMs: number;
  /** What else listens: metrics, commands. */
  otherServers: readonly { close(): unknown }[];
  /** Resolves when the app has begun to work on jobs. */
  jobsStarting: Promise<void>;
  /** The last thing to do. */
  afterShutdown: () => unknown;
}

export function shutDownOnSignal({
  app,
  server,
  db,
  log,
  drainMs,
  otherServers: others,
  jobsStarting: starting,
  afterShutdown: atLast,
}: ShutdownOptions): void {
  const closeUnused = trackUnusedConnections(server);
  let stopping = false;
  /** A part that cannot end, such as one whose database is away, does not keep the others from it. */
  const ended = async (end: () => unknown) => {
    try {
      await end();
    } catch (err) {
      log.warn({ err }, 'a part did not end well');
    }
  };
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => server.closeAllConnections(), cutOffMs).unref();
    setTimeout(() => process.exit(0), lastMomentMs).unref();
    app.beginShutdown();
    // Who is answered meanwhile is told to connect elsewhere; a developer at a keyboard does not want to wait.
    if (signal === 'SIGTERM') await sleep(drainMs);
    for (const other of others) other.close();
    server.close(async () => {
      await starting.catch(() => {});
      for (const end of [() => app.stop(), () => db.close(), atLast]) await ended(end);
      process.exit(0);
    });
    closeUnused();
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
