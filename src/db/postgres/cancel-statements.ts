/** Statements of an operation whose time is over are cancelled on the server, whichever handle they came from. */
import { connect } from 'node:net';
import type pg from 'pg';
import { assertDeadlineNotExpired, type Deadline } from '../../lib/async/deadline.ts';
import { currentPrismaContext } from '../query-context.ts';
import type { PrimaryLocator } from '../replication/primary-locator.ts';
import { startWatchdog } from './dead-connections.ts';

export interface DeadlineRunner {
  /** Runs what uses a connection, and has it called off when the time is over. */
  runOn<T>(deadline: Deadline | undefined, client: pg.PoolClient, run: () => Promise<T>): Promise<T>;
  /** One statement on a connection of the pool. */
  query(deadline: Deadline | undefined, statement: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Has the server call off what a connection is doing. */
export type CancelStatement = (client: pg.PoolClient) => Promise<void>;

/** Through a connection of its own: those of the pool may all be waiting. */
export const cancelByStatement =
  ({ Client }: Pick<PrimaryLocator, 'Client'>, connection: pg.ClientConfig): CancelStatement =>
  async (client) => {
    const messenger = new Client({ ...connection, query_timeout: cancelMs });
    messenger.on('error', () => {});
    try {
      await messenger.connect();
      await messenger.query('SELECT pg_cancel_backend($1)', [keysOf(client).processID]);
    } finally {
      // Nobody waits for a goodbye that may never be answered.
      void messenger.end().catch(() => {});
    }
  };

/** As PostgreSQL's protocol has it. A pooler gives out keys of its own, and knows which server connection is meant. */
export const cancelByProtocol =
  ({ Client }: Pick<PrimaryLocator, 'Client'>, connection: pg.ClientConfig): CancelStatement =>
  (client) =>
    new Promise((resolve) => {
      const { host, port } = new Client(connection);
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
/** How long after that a connection may go without a word. */
const muteMs = 2_000;

export function createDeadlineRunner(
  pool: pg.Pool,
  cancel: CancelStatement,
  hangUp: (client: pg.PoolClient) => void,
): DeadlineRunner {
  async function during<T>(
    deadline: Deadline | undefined,
    client: pg.PoolClient,
    run: () => Promise<T>,
  ): Promise<T> {
    if (!deadline) return run();
    let ended = () => {};
    const leave = deadline.onExpired(() => {
      ended = startWatchdog(muteMs, () => hangUp(client));
      return cancel(client);
    });
    try {
      assertDeadlineNotExpired(deadline);
      return await run();
    } finally {
      ended();
      // The connection must not get to somebody else with a cancellation on its way.
      await leave();
    }
  }

  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  async function queryInTime(deadline: Deadline, args: readonly unknown[]): Promise<unknown> {
    assertDeadlineNotExpired(deadline);
    const client = await pool.connect();
    let failed: unknown;
    try {
      return await during(
        deadline,
        client,
        () => Reflect.apply(client.query, client, args) as Promise<unknown>,
      );
    } catch (error) {
      failed = error;
      throw error;
    } finally {
      client.release(failed !== undefined);
    }
  }
  const inTime = (deadline: Deadline | undefined, args: readonly unknown[]) =>
    deadline ? queryInTime(deadline, args) : query(...args);
  // This is how Prisma's adapter asks.
  const asked = (...args: unknown[]) => inTime(currentPrismaContext()?.deadline, args);
  pool.query = asked as typeof pool.query;
  return {
    runOn: during,
    query: (deadline, statement) => inTime(deadline, [statement]) as Promise<pg.QueryResult>,
  };
}

/** What the other side gave this connection to be cancelled by. */
const keysOf = (client: pg.PoolClient) => client as unknown as { processID: number; secretKey: number };
