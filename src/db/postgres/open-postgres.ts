/** Opens a PostgreSQL database: one connection pool behind both handles, and separate connections for short reads. */
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { PreparedQuery } from '../../vendor/pg/prepared-query.ts';
import { createPrismaAdapterOnClient } from '../../vendor/prisma/driver-adapter-internals.ts';
import type { Db, QueryHandle, StopListening } from '../handles.ts';
import { withMigrationConnection } from '../migrations/migration-connection.ts';
import type { ResolvedDbOptions } from '../open-options.ts';
import { createPrismaClient } from '../prisma-client.ts';
import {
  bindPrismaToQueryContext,
  createSqlAndWriteFunctions,
  type QueryContext,
  type SentStatement,
  serviceQueryContext,
} from '../query-context-and-statement-functions.ts';
import { openReadConnections } from '../replication/primary-and-replica-read-connections.ts';
import { createPrimaryLocator } from '../replication/primary-locator.ts';
import { createTransactionHandle } from '../transaction-handle.ts';
import { createRestoreGuard } from '../unique-versions-after-restore.ts';
import { createDeadlineRunner, createProtocolCanceller, createSqlCanceller } from './cancel-statements.ts';
import { createConnectionShares } from './connection-shares.ts';
import { createConnectionDestroyer, isUnusableConnectionError, pingPool } from './dead-connections.ts';
import { createPreparedStatementSupport } from './detect-prepared-statement-support.ts';
import { listenForPostgresNotifications } from './notification-listener.ts';
import { isStalePreparedStatementError } from './pipelined-reads.ts';
import { openPool, postgresApplicationName } from './pool.ts';
import { createPreparedStatementNames } from './prepared-statement-names.ts';
import { pgTypeParsers } from './type-parsers.ts';

/** Short reads are shared by several requests, so no deadline can cancel them; this timeout ends them. */
const shortReadTimeoutMs = 10_000;

export async function openPostgres({
  url,
  directUrl,
  prepared,
  replicaUrls,
  replicaMaxLagMs,
  poolSize,
  statementTimeoutMs,
  connectionTimeoutMs,
  onStatement,
  onTransaction,
  onRead,
  onWait,
  recordCache,
  batching,
  onError,
  onSlowRead,
}: ResolvedDbOptions & { url: string }): Promise<Db> {
  const pooled = directUrl !== undefined;
  const primary = createPrimaryLocator(directUrl ?? url);
  await primary.find();
  /** The pool connects to the pooler if there is one. */
  const poolTarget = pooled ? createPrimaryLocator(url) : primary;
  const common: pg.ClientConfig = {
    application_name: postgresApplicationName,
    keepAlive: true,
    connectionTimeoutMillis: connectionTimeoutMs,
    // The server's own statement_timeout fires first; this one detects a server that does not respond at all.
    query_timeout: statementTimeoutMs + 5_000,
  };
  const direct: pg.ClientConfig = {
    ...common,
    connectionString: primary.url,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  // A pooler rejects startup parameters that it does not support, and shares its sessions with other clients.
  const connection: pg.ClientConfig = pooled ? { ...common, connectionString: url } : direct;
  const preparedSupport = createPreparedStatementSupport(pooled, prepared);
  const restoreGuard = createRestoreGuard();
  const { nextVersion } = restoreGuard;
  const shared = { connection, pooled, preparedSupport, restoreGuard, recordCache, onWait, onError };
  const { pool, interceptQuery, checkIdentity } = openPool({ target: poolTarget, size: poolSize, ...shared });
  const destroy = createConnectionDestroyer(pool);
  const cancel = (pooled ? createProtocolCanceller : createSqlCanceller)(poolTarget, connection);
  const shares = createConnectionShares(poolSize);
  const deadlineRunner = createDeadlineRunner({ pool, interceptQuery }, cancel, destroy, shares);

  const names = createPreparedStatementNames();
  const statementsOn = (on: pg.Pool | pg.PoolClient, queryContext: QueryContext) =>
    createSqlAndWriteFunctions({
      queryContext,
      onStatement,
      onRead,
      send: (statement) => send(on, statement, queryContext),
    });

  function toQuery(text: string, values: unknown[]): pg.QueryConfig | PreparedQuery {
    const name = preparedSupport.enabled ? names.of(text) : undefined;
    if (name === undefined) return { text, values, types: pgTypeParsers };
    if (!batching) return { text, values, types: pgTypeParsers, name };
    return new PreparedQuery({ text, values, types: pgTypeParsers, name, describeOnce: !pooled });
  }

  async function send<Row>(
    on: pg.Pool | pg.PoolClient,
    { text, params: values }: SentStatement,
    queryContext: QueryContext,
  ): Promise<Row[]> {
    const query = (): Promise<pg.QueryResult> => {
      const statement = toQuery(text, values);
      return on === pool
        ? deadlineRunner.query(queryContext, statement)
        : PreparedQuery.runStatementOnClient(on as pg.PoolClient, [statement]);
    };
    try {
      return (await query()).rows;
    } catch (error) {
      if (!isStalePreparedStatementError(error)) throw error;
      // Another process has migrated the table under `SELECT *`: prepare the statement again under a new name.
      names.forget(text);
      preparedSupport.reportError(error);
      if (on !== pool) throw error;
      return (await query()).rows;
    }
  }

  const serviceStatements = statementsOn(pool, serviceQueryContext);
  const shortReadMs = Math.min(statementTimeoutMs, shortReadTimeoutMs);
  const reads = openReadConnections({
    primary,
    connection: { ...direct, statement_timeout: shortReadMs, query_timeout: shortReadMs + 1_000 },
    replicaUrls,
    replicaMaxLagMs,
    names,
    batching,
    onSetupResults: checkIdentity,
    onStatement,
    onError,
    onSlowRead,
    retryElsewhere: serviceStatements.sql,
  });

  async function transaction<T>(
    run: (tx: QueryHandle) => Promise<T>,
    queryContext: QueryContext,
  ): Promise<T> {
    const client = await pool.connect();
    const { tx, close, assertCanCommit } = createTransactionHandle({
      queryContext,
      nextVersion,
      onTransaction,
      statements: statementsOn(client, queryContext),
      prisma,
      queryable: async () => createPrismaAdapterOnClient(await adapter(), client),
    });
    try {
      const result = await deadlineRunner.runOn(queryContext.deadline, client, async () => {
        await client.query('BEGIN');
        const value = await run(tx);
        await assertCanCommit();
        await close();
        await client.query('COMMIT');
        return value;
      });
      client.release();
      return result;
    } catch (error) {
      await close();
      // A connection whose ROLLBACK fails is in an unknown state: remove it from the pool.
      const broken =
        isUnusableConnectionError(error) ||
        (await client.query('ROLLBACK').then(
          () => false,
          () => true,
        ));
      client.release(broken);
      throw error;
    }
  }

  const factory = new PrismaPg(pool);
  const { prisma: client, disconnect } = createPrismaClient(factory, onStatement);
  const prisma = bindPrismaToQueryContext(client, serviceQueryContext);
  let connected: Promise<SqlDriverAdapter> | undefined;
  const adapter = () => {
    connected ??= factory.connect();
    return connected;
  };
  const subscriptions = new Set<StopListening>();
  let closing: Promise<void> | undefined;
  async function shutDown(): Promise<void> {
    primary.close();
    poolTarget.close();
    await Promise.all([...subscriptions].map((stop) => stop()));
    await disconnect();
    await Promise.all([reads.close(), pool.end()]);
  }
  const db: Db = {
    prisma,
    queryContext: serviceQueryContext,
    embedded: false,
    recordCache,
    batching,
    nextVersion,
    ...serviceStatements,
    shortRead: reads.shortRead,
    ...(reads.replicas && { replicas: reads.replicas }),
    transaction: (run) => transaction(run, serviceQueryContext),
    withContext: (queryContext) => ({
      ...db,
      queryContext,
      ...statementsOn(pool, queryContext),
      transaction: (run) => shares.runTransaction(queryContext.share, () => transaction(run, queryContext)),
      prisma: bindPrismaToQueryContext(client, queryContext),
    }),
    async script<Row>(text: string) {
      onStatement?.(text);
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query({ text, types: pgTypeParsers });
      const last = Array.isArray(results) ? results.at(-1) : results;
      return (last?.rows ?? []) as Row[];
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ping: () =>
      pingPool(pool, destroy, (client) => statementsOn(client, serviceQueryContext).sql('SELECT 1')),
    async listen(listener, channel = 'duet_live') {
      const unsubscribe = await listenForPostgresNotifications(primary, listener, channel, onError);
      const stop = () => {
        subscriptions.delete(stop);
        return unsubscribe();
      };
      subscriptions.add(stop);
      return stop;
    },
    withCheckpointedFiles: () =>
      Promise.reject(
        new Error('The files of a PostgreSQL server cannot be read: use pg_basebackup or pg_dump.'),
      ),
    close() {
      closing ??= shutDown();
      return closing;
    },
    withMigrationAdapter: (run) => withMigrationConnection(primary.url, run),
  };
  return db;
}
