/** Statements of an operation whose time is over are cancelled on the server, whichever handle they came from. */
import pg from 'pg';
import { assertInTime, currentDeadline } from '../lib/deadline.ts';

export type Cancellable = <T>(client: pg.PoolClient, run: () => Promise<T>) => Promise<T>;

export function cancelWhenLate(pool: pg.Pool, connection: pg.ClientConfig): Cancellable {
  async function cancel(client: pg.PoolClient): Promise<void> {
    // A connection of its own: those of the pool may all be waiting.
    const messenger = new pg.Client(connection);
    messenger.on('error', () => {});
    try {
      await messenger.connect();
      await messenger.query('SELECT pg_cancel_backend($1)', [processOf(client)]);
    } finally {
      await messenger.end();
    }
  }

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

const processOf = (client: pg.PoolClient) => (client as unknown as { processID: number }).processID;
