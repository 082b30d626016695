/**
 * Detection of dead connections, for example those that a firewall dropped silently: no error arrives, only timeouts. When one is
 * found, its socket is destroyed together with all idle connections of the pool, which are likely to be dead too.
 */
import pg from 'pg';
import { destroyPgSocket } from '../../vendor/pg/connection-internals.ts';
import { classifyDbError } from '../classify-db-errors.ts';

/** Client-side timeout: the server's own `statement_timeout` should have fired first, so the connection is dead. */
export const isUnresponsiveConnectionError = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) && classifyDbError(error)?.kind === 'timeout';

/** The connection must not be reused: it is lost or unresponsive, or leads to a server that accepts no writes. */
export const isUnusableConnectionError = (error: unknown): boolean =>
  isUnresponsiveConnectionError(error) || classifyDbError(error)?.kind === 'unavailable';

/** Destroys the socket, so that all statements waiting on the connection fail at once. */
export const destroyUnresponsiveSocket = (client: pg.ClientBase): void =>
  destroyPgSocket(client, new Error('Connection terminated: the server does not respond'));

/** Returns a function that destroys an unresponsive connection of the pool and all idle ones. */
export function createConnectionDestroyer(pool: pg.Pool): (client: pg.PoolClient) => void {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client as pg.PoolClient));
  pool.on('release', (error, client) => {
    if (!error) idle.add(client);
  });
  return (client) => {
    for (const connection of [client, ...idle]) destroyUnresponsiveSocket(connection);
    idle.clear();
  };
}

/** Calls `onTimeout` after `ms` unless stopped. setImmediate first lets the event loop read responses that arrived while it was busy. */
export function startWatchdog(ms: number, onTimeout: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(onTimeout);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Maximum response time of a ping. */
const pingMs = 5_000;

export async function pingPool(
  pool: pg.Pool,
  destroy: (client: pg.PoolClient) => void,
  ping: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  const stopWatchdog = startWatchdog(pingMs, () => destroy(client));
  try {
    await ping(client);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    stopWatchdog();
  }
}
