/** The database on a PostgreSQL server: one pool behind both handles. */
import { hostname } from 'node:os';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { RecordCache } from '../../lib/cache/record-cache.ts';
import { packageVersion } from '../../lib/package-info.ts';
import { attachAuditContext } from '../audit-context.ts';
import type { Db, OnStatement, Queries, StopListening } from '../handles.ts';
import { withMigrationConnection } from '../migrations/migration-connection.ts';
import { createPrismaClient } from '../prisma-client.ts';
import { bindModelsToContext, type QueryContext } from '../query-context.ts';
import { createPrimaryLocator } from '../replication/primary-locator.ts';
import { openReadConnections } from '../replication/read-connections.ts';
import { createRestoreGuard } from '../restore-guard.ts';
import { traceStatement } from '../statement-tracing.ts';
import { createTransactionHandle } from '../transaction.ts';
import { cancelByProtocol, cancelByStatement, createDeadlineRunner } from './cancel-statements.ts';
import { createConnectionDestroyer, isUnusableConnection, pingPool } from './dead-connections.ts';
import { listenOnPostgres } from './notification-listener.ts';
import { isStalePreparedStatement } from './pipelined-reads.ts';
import { openPool } from './pool.ts';
import { createPreparedNames } from './prepared-names.ts';
import { createPreparedSupport, type PreparedStatementMode } from './prepared-support.ts';
import { pgTypeParsers } from './type-parsers.ts';

export interface PostgresOptions {
  url: string;
  /** Given when a pooler such as PgBouncer stands at `url`: what needs a session of its own goes to the server itself. */
  directUrl: string | undefined;
  /** Whether that pooler keeps the names of prepared statements. */
  prepared: PreparedStatementMode;
  /** Servers that follow this one and may answer reads. */
  replicaUrls: readonly string[];
  /** How far behind they may be. */
  replicaMaxLagMs: number;
  poolSize: number;
  statementTimeoutMs: number;
  onStatement: OnStatement | undefined;
  onWait: ((seconds: number) => void) | undefined;
  recordCache: RecordCache;
  onError: (error: Error) => void;
  onSlowRead: (text: string, ms: number) => void;
}

/** Tells processes apart, and their versions, for who looks at the server; it keeps 63 bytes of it. */
const ownName = `duet ${packageVersion} ${hostname().slice(0, 30)}:${process.pid}`;
/** What is asked there is asked for several callers, so that none of them can call it off: it ends by itself. */
const laneTimeoutMs = 10_000;
export async function openPostgres({
  url,
  directUrl,
  prepared,
  replicaUrls,
  replicaMaxLagMs,
  poolSize,
  statementTimeoutMs,
  onStatement,
  onWait,
  recordCache: kept,
  onError,
  onSlowRead: onLongRead,
}: PostgresOptions): Promise<Db> {
  const pooled = directUrl !== undefined;
  const primary = createPrimaryLocator(directUrl ?? url);
  await primary.find();
  /** What the pool connects to. */
  const front = pooled ? createPrimaryLocator(url) : primary;
  const common: pg.ClientConfig = {
    application_name: ownName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // The server's own timeout comes first; this one is for a server that no longer answers at all.
    query_timeout: statementTimeoutMs + 5_000,
  };
  const direct: pg.ClientConfig = {
    ...common,
    connectionString: primary.url,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  // A pooler refuses settings it does not know, and its connections are not ours to change.
  const connection: pg.ClientConfig = pooled ? { ...common, connectionString: url } : direct;
  const naming = createPreparedSupport(pooled, prepared);
  const lineage = createRestoreGuard();
  const { nextVersion } = lineage;
  const { pool, meet } = openPool({
    ...{
      connection,
      target: front,
      pooled,
      preparedSupport: naming,
      restoreGuard: lineage,
      size: poolSize,
      recordCache: kept,
      onWait,
      onError,
    },
  });
  const hangUp = createConnectionDestroyer(pool);
  const cancel = (pooled ? cancelByProtocol : cancelByStatement)(front, connection);
  const inTime = createDeadlineRunner(pool, cancel, hangUp);

  const names = createPreparedNames();
  function query<Row>(
    on: pg.Pool | pg.PoolClient,
    asked: string,
    params: readonly unknown[] = [],
    caller?: QueryContext,
  ): Promise<Row[]> {
    onStatement?.(asked);
    return traceStatement(asked, () => run<Row>(on, asked, params, caller));
  }

  async function run<Row>(
    on: pg.Pool | pg.PoolClient,
    asked: string,
    params: readonly unknown[],
    caller: QueryContext | undefined,
  ): Promise<Row[]> {
    const own = attachAuditContext(asked, params.length, caller?.auditContext);
    const send = (named: pg.QueryConfig): Promise<pg.QueryResult> =>
      on === pool ? inTime.query(caller?.deadline, named) : on.query(named);
    const text = own?.text ?? asked;
    const values = own ? [...params, own.author] : [...params];
    const statement = (): pg.QueryConfig =>
      naming.enabled
        ? { text, values, types: pgTypeParsers, name: names.of(text) }
        : { text, values, types: pgTypeParsers };
    try {
      return (await send(statement())).rows;
    } catch (error) {
      if (!isStalePreparedStatement(error)) throw error;
      // Another process has migrated the table under `SELECT *`; under a new name the statement is planned anew.
      names.forget(text);
      naming.reportError(error);
      if (on !== pool) throw error;
      return (await send(statement())).rows;
    }
  }

  const laneMs = Math.min(statementTimeoutMs, laneTimeoutMs);
  const {
    shortRead: short,
    replicas,
    close: closeReads,
  } = openReadConnections({
    primary,
    connection: { ...direct, statement_timeout: laneMs, query_timeout: laneMs + 1_000 },
    replicaUrls,
    replicaMaxLagMs,
    names,
    onSetupResults: meet,
    onStatement,
    onError,
    onSlowRead: onLongRead,
    retryElsewhere: (text, params) => query(pool, text, params),
  });

  async function transaction<T>(run: (tx: Queries) => Promise<T>, caller?: QueryContext): Promise<T> {
    const client = await pool.connect();
    const { tx, close, assertCanCommit } = createTransactionHandle({
      caller,
      nextVersion,
      query: (text, params) => query(client, text, params, caller),
      prisma,
      queryable: async () => Object.create(await adapter(), { client: { value: client } }),
    });
    try {
      const result = await inTime.runOn(caller?.deadline, client, async () => {
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
      // A connection that cannot even roll back is in an unknown state: the pool must not hand it out again.
      const broken =
        isUnusableConnection(error) ||
        (await client.query('ROLLBACK').then(
          () => false,
          () => true,
        ));
      client.release(broken);
      throw error;
    }
  }

  const factory = new PrismaPg(pool);
  const { prisma, disconnect } = createPrismaClient(factory, onStatement);
  let connected: Promise<SqlDriverAdapter> | undefined;
  const adapter = () => {
    connected ??= factory.connect();
    return connected;
  };
  const listening = new Set<StopListening>();
  let closing: Promise<void> | undefined;
  async function shutDown(): Promise<void> {
    primary.close();
    front.close();
    await Promise.all([...listening].map((stop) => stop()));
    await disconnect();
    await Promise.all([closeReads(), pool.end()]);
  }
  const db: Db = {
    prisma,
    queryContext: undefined,
    embedded: false,
    recordCache: kept,
    nextVersion,
    sql: (text, params) => query(pool, text, params),
    shortRead: short,
    ...(replicas && { replicas }),
    transaction: (run) => transaction(run),
    withContext: (caller) => ({
      ...db,
      queryContext: caller,
      sql: (text, params) => query(pool, text, params, caller),
      transaction: (run) => transaction(run, caller),
      prisma: bindModelsToContext(prisma, caller),
    }),
    async script<Row>(text: string) {
      onStatement?.(text);
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query({ text, types: pgTypeParsers });
      const last = Array.isArray(results) ? results.at(-1) : results;
      return (last?.rows ?? []) as Row[];
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ping: () => pingPool(pool, hangUp, (client) => query(client, 'SELECT 1')),
    async listen(listener, channel = 'duet_live') {
      const end = await listenOnPostgres(primary, primary.url, listener, channel, onError);
      const stop = () => {
        listening.delete(stop);
        return end();
      };
      listening.add(stop);
      return stop;
    },
    async withCheckpointedFiles() {
      throw new Error('A server keeps its files to itself.');
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
    withMigrationAdapter: (run) => withMigrationConnection(primary.url, run),
  };
  return db;
}
