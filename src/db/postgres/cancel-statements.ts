/** Cancels statements on the server when the deadline of their operation expires, for `sql`, transactions and Prisma. */
import { connect } from 'node:net';
import type pg from 'pg';
import { assertDeadlineNotExpired, type Deadline } from '../../lib/async/deadline.ts';
import { getPgBackendKeys } from '../../vendor/pg/connection-internals.ts';
import type { InterceptedPool } from '../../vendor/pg/intercepted-pool.ts';
import { PreparedQuery } from '../../vendor/pg/prepared-query.ts';
import { getQueryContextOfPrismaCall, type QueryContext } from '../query-context-and-statement-functions.ts';
import type { PrimaryLocator } from '../replication/primary-locator.ts';
import type { ConnectionShares } from './connection-shares.ts';
import { startWatchdog } from './dead-connections.ts';

interface DeadlineRunner {
  /** Runs `run`, which uses `client`, and cancels the statement on that connection when the deadline expires. */
  runOn<T>(deadline: Deadline | undefined, client: pg.PoolClient, run: () => Promise<T>): Promise<T>;
  /** Runs one statement on a connection of the pool. */
  query(
    queryContext: QueryContext | undefined,
    statement: pg.QueryConfig | PreparedQuery,
  ): Promise<pg.QueryResult>;
}

/** Cancels the statement that a connection is executing. */
type CancelStatement = (client: pg.PoolClient) => Promise<void>;

/** Cancels by `pg_cancel_backend` on a separate connection, because all connections of the pool may be busy. */
export const createSqlCanceller =
  ({ Client }: Pick<PrimaryLocator, 'Client'>, connection: pg.ClientConfig): CancelStatement =>
  async (client) => {
    const cancelClient = new Client({ ...connection, query_timeout: cancelMs });
    cancelClient.on('error', () => {});
    try {
      await cancelClient.connect();
      await cancelClient.query('SELECT pg_cancel_backend($1)', [getPgBackendKeys(client).processId]);
    } finally {
      // Not awaited: an unresponsive server may never confirm the end of the connection.
      void cancelClient.end().catch(() => {});
    }
  };

/** Cancels by a CancelRequest message. A pooler issues its own keys and forwards the request to the right server connection. */
export const createProtocolCanceller =
  ({ Client }: Pick<PrimaryLocator, 'Client'>, connection: pg.ClientConfig): CancelStatement =>
  (client) =>
    new Promise((resolve) => {
      const { host, port } = new Client(connection);
      const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
      const { processId, cancelKey } = getPgBackendKeys(client);
      const request = Buffer.alloc(16);
      [16, cancelCode, processId, cancelKey].forEach((part, index) => {
        request.writeInt32BE(part, index * 4);
      });
      socket.setTimeout(cancelMs, () => socket.destroy());
      socket.on('error', () => {});
      // The server closes the socket after handling the request. A pooler drops the request if the client closes first.
      socket.once('connect', () => socket.write(request));
      socket.once('close', () => resolve());
      socket.resume();
    });

const cancelCode = 80_877_102;
const cancelMs = 5_000;
/** After a cancellation the connection must respond within this time, or its socket is destroyed. */
const responseMs = 2_000;

export function createDeadlineRunner(
  { pool, interceptQuery }: InterceptedPool,
  cancel: CancelStatement,
  destroy: (client: pg.PoolClient) => void,
  shares: ConnectionShares,
): DeadlineRunner {
  async function during<T>(
    deadline: Deadline | undefined,
    client: pg.PoolClient,
    run: () => Promise<T>,
  ): Promise<T> {
    if (!deadline) return run();
    let stopWatchdog = () => {};
    const unsubscribe = deadline.onExpired(() => {
      stopWatchdog = startWatchdog(responseMs, () => destroy(client));
      return cancel(client);
    });
    try {
      assertDeadlineNotExpired(deadline);
      return await run();
    } finally {
      stopWatchdog();
      // Wait for the cancellation: a late one would hit the next statement of the connection.
      await unsubscribe();
    }
  }

  async function queryWithDeadline(deadline: Deadline, args: readonly unknown[]): Promise<unknown> {
    assertDeadlineNotExpired(deadline);
    const client = await pool.connect();
    let failure: unknown;
    try {
      return await during(deadline, client, () => PreparedQuery.runStatementOnClient(client, args));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(failure !== undefined);
    }
  }
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  function queryInContext(
    context: QueryContext | undefined,
    args: readonly unknown[],
    queryPool: (...args: unknown[]) => unknown,
  ): unknown {
    const { deadline, share } = context ?? {};
    const run = async () => (deadline ? queryWithDeadline(deadline, args) : queryPool(...args));
    return share ? shares.runStatement(share, run) : deadline ? run() : queryPool(...args);
  }
  // Prisma's adapter calls `pool.query`.
  interceptQuery((queryPool, args) => queryInContext(getQueryContextOfPrismaCall(), args, queryPool));
  return {
    runOn: during,
    query: (queryContext, statement) =>
      queryInContext(queryContext, [statement], query) as Promise<pg.QueryResult>,
  };
}
