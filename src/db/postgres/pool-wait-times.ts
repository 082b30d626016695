/** How long whoever asks the pool for a connection waits for it: statements of both handles and transactions all ask by `connect`. */
import type pg from 'pg';

type Given = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;

export function measurePoolWaits(pool: pg.Pool, tell: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (given: Given) => void;
  const timed = (given: Given) => {
    const askedAt = performance.now();
    connect((error, client, release) => {
      tell((performance.now() - askedAt) / 1000);
      given(error, client, release);
    });
  };
  const promised = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      timed((error, client) => (client ? resolve(client) : reject(error)));
    });
  pool.connect = ((given?: Given) => (given ? timed(given) : promised())) as typeof pool.connect;
}
