/**
 * Connections on which nothing comes back any more, as when a firewall has forgotten them. Nobody says so: whoever finds one hangs up,
 * and those that rest are not trusted either.
 */
import pg from 'pg';
import { classifyDbError } from '../errors.ts';

/** The server would have said by now that it took too long: nothing comes back any more, to nobody who waits there. */
export const isUnresponsive = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) && classifyDbError(error)?.kind === 'timeout';

/** Nothing more is to be asked there: it is lost or mute, or was made while the database took no writes, and never will. */
export const isUnusableConnection = (error: unknown): boolean =>
  isUnresponsive(error) || classifyDbError(error)?.kind === 'unavailable';

/** Ends it as if the network had: whoever waits on it hears of that at once. */
export const destroySocket = (client: pg.ClientBase): void => {
  const { stream } = (client as unknown as { connection: { stream: { destroy(error: Error): void } } })
    .connection;
  stream.destroy(new Error('Connection terminated, because it does not answer'));
};

/** Returns what to do with a connection of the pool that does not answer. */
export function createConnectionDestroyer(pool: pg.Pool): (client: pg.PoolClient) => void {
  const resting = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => resting.delete(client));
  pool.on('remove', (client) => resting.delete(client as pg.PoolClient));
  pool.on('release', (error, client) => {
    if (!error) resting.add(client);
  });
  return (client) => {
    for (const one of [client, ...resting]) destroySocket(one);
    resting.clear();
  };
}

/** Calls `late` after the time, unless that is ended before. What came while this process was busy is read first. */
export function startWatchdog(ms: number, late: () => void): () => void {
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    last = setImmediate(late);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(last);
  };
}

/** How long the server may take to say that it is there. */
const pingMs = 5_000;

export async function pingPool(
  pool: pg.Pool,
  hangUp: (client: pg.PoolClient) => void,
  ask: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  const answered = startWatchdog(pingMs, () => hangUp(client));
  try {
    await ask(client);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    answered();
  }
}
