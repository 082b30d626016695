/** Pool of pg that reports waiting times and lets `query` be replaced, also for Prisma's adapter, which gets the pool itself. */
import pg from 'pg';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: () => void,
) => void;

type RunQuery = (...args: unknown[]) => unknown;

export interface InterceptedPool {
  pool: pg.Pool;
  /** Replaces `pool.query`; `intercept` gets the original function and the arguments. */
  interceptQuery(intercept: (query: RunQuery, args: unknown[]) => unknown): void;
}

/**
 * Statements and transactions all take their connection by `connect`: `query` calls it with a callback.
 *
 * `onWait` receives the seconds that each of them waited for a connection.
 */
export function createInterceptedPool(
  config: pg.PoolConfig,
  onWait: ((seconds: number) => void) | undefined,
): InterceptedPool {
  const pool = new pg.Pool(config);
  if (onWait) measureWaits(pool, onWait);
  return {
    pool,
    interceptQuery(intercept) {
      const query = pool.query.bind(pool) as RunQuery;
      pool.query = ((...args: unknown[]) => intercept(query, args)) as typeof pool.query;
    },
  };
}

function measureWaits(pool: pg.Pool, onWait: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (callback: ConnectCallback) => void;
  const connectTimed = (callback: ConnectCallback) => {
    const startedAt = performance.now();
    connect((error, client, release) => {
      onWait((performance.now() - startedAt) / 1000);
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
