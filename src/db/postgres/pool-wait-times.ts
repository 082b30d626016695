/** Measures how long requests wait for a connection of the pool. Statements of both handles and transactions all use `connect`. */
import type pg from 'pg';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: () => void,
) => void;

export function measurePoolWaits(pool: pg.Pool, report: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (callback: ConnectCallback) => void;
  const connectTimed = (callback: ConnectCallback) => {
    const startedAt = performance.now();
    connect((error, client, release) => {
      report((performance.now() - startedAt) / 1000);
      callback(error, client, release);
    });
  };
  const connectPromise = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      connectTimed((error, client) => (client ? resolve(client) : reject(error)));
    });
  pool.connect = ((callback?: ConnectCallback) =>
    callback ? connectTimed(callback) : connectPromise()) as typeof pool.connect;
}
