/** Statements of an operation whose time is over are cancelled on the server, whichever handle they came from. */
import { connect } from 'node:net';
import pg from 'pg';
import { assertInTime, currentDeadline } from '../lib/deadline.ts';

export type Cancellable = <T>(client: pg.PoolClient, run: () => Promise<T>) => Promise<T>;

/** Has the server call off what a connection is doing. */
export type Cancel = (client: pg.PoolClient) => Promise<void>;

/** Through a connection of its own: those of the pool may all be waiting. */
export const cancelByStatement =
  (connection: pg.ClientConfig): Cancel =>
  async (client) => {
    const messenger = new pg.Client(connection);
    messenger.on('error', () => {});
    try {
      await messenger.connect();
      await messenger.query('SELECT pg_cancel_backend($1)', [keysOf(client).processID]);
    } finally {
      await messenger.end();
    }
  };

/** As PostgreSQL's protocol has it. A pooler gives out keys of its own, and knows which server connection is meant. */
export const cancelByProtocol =
  (connection: pg.ClientConfig): Cancel =>
  (client) =>
    new Promise((resolve) => {
      const { host, port } = new pg.Client(connection);
      const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
      const { processID, secretKey } = keysOf(client);
      const request = Buffer.alloc(16);
      [16, cancelCode, processID, secretKey].forEach((part, index) => {
        request.writeInt32BE(part, index * 4);
      });
      socket.setTimeout(cancelMs, () => socket.destroy());
      socket.on('error', () => {});
      // The other side closes when it has passed the word on; of who leaves before, a pooler forgets what they wanted.
      socket.once('connect', () => socket.write(request));
      socket.once('close', () => resolve());
      socket.resume();
    });

const cancelCode = 80_877_102;
const cancelMs = 5_000;

export function cancelWhenLate(pool: pg.Pool, cancel: Cancel): Cancellable {
  async function cancellable<T>(client: pg.PoolClient, run: () => Promise<T>): Promise<T> {
    const deadline = currentDeadline();
    if (!deadline) return run();
    const leave = deadline.onOver(() => cancel(client));
    try {
      assertInTime();
      return await run();
    } finally {
      // The connection must not get to somebody else with a cancellation on its way.
      await leave();
    }
  }

  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  async function queryInTime(...args: unknown[]): Promise<unknown> {
    assertInTime();
    const client = await pool.connect();
    let failed: unknown;
    try {
      return await cancellable(client, () => Reflect.apply(client.query, client, args) as Promise<unknown>);
    } catch (error) {
      failed = error;
      throw error;
    } finally {
      client.release(failed !== undefined);
    }
  }
  const asked = (...args: unknown[]) => (currentDeadline() ? queryInTime(...args) : query(...args));
  pool.query = asked as typeof pool.query;
  return cancellable;
}

/** What the other side gave this connection to be cancelled by. */
const keysOf = (client: pg.PoolClient) => client as unknown as { processID: number; secretKey: number };
