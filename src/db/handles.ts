/** Interfaces of the database handles: `sql` and `write` for frequent statements, `prisma` for everything else. */
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { RecordCache } from '../lib/cache/record-cache.ts';
import type { QueryContext, StatementFunctions } from './query-context-and-statement-functions.ts';

/** Prisma's models without its raw queries, which belong to `sql`. */
export type PrismaModels = Omit<Prisma.TransactionClient, `$${string}`>;

export interface QueryHandle extends StatementFunctions {
  /** Prisma on the same connection. Inside a transaction its queries are part of the transaction, on PostgreSQL and on PGlite. */
  readonly prisma: PrismaModels;
  /**
   * Runs `run` in a transaction; a nested call joins the outer transaction. Use only the handle `tx` inside `run`: the embedded
   * database has a single connection and rejects other handles until the transaction ends.
   */
  transaction<T>(run: (tx: QueryHandle) => Promise<T>): Promise<T>;
  /** Version that the next change gives to a record: `version + 1`, or the minimum version after a restore. */
  nextVersion(version: number): number;
  /** Several servers: the handles of the others. Absent: this server has everything. */
  readonly otherServers?: OtherServers | undefined;
}

/** The servers that a handle does not write. Their statements do not belong to its transactions. */
export interface OtherServers {
  /** The home server, for the tables of accounts. Absent: the handle itself. */
  readonly accounts: QueryHandle | undefined;
  /** All servers with businesses except that of the handle. */
  readonly businesses: readonly Db[];
  /** Whether the handle reads businesses too. */
  readonly hasOwnBusinesses: boolean;
}

/** Handle for the tables of accounts: the same one, unless they are on another server. */
export const accountsOf = (queries: QueryHandle): QueryHandle => queries.otherServers?.accounts ?? queries;

/** A handle for each server with businesses, for questions about all businesses. With one server: the same handle. */
export function businessServersOf(queries: QueryHandle): readonly QueryHandle[] {
  const { otherServers } = queries;
  if (!otherServers) return [queries];
  return otherServers.hasOwnBusinesses ? [queries, ...otherServers.businesses] : otherServers.businesses;
}

/** Receives the notifications (NOTIFY) that any process sends on a channel. */
export interface NotificationListener {
  onNotification(payload: string): void;
  /** Called after a lost connection was replaced: notifications sent in between are lost. */
  onReconnect(): void;
}

/**
 * `duet_live`: changes for live updates (default). `duet_revoked`: ids of revoked sessions, and changes of the signing keys.
 * `duet_placements`: ids of businesses whose server has changed.
 */
export type NotificationChannel = 'duet_live' | 'duet_revoked' | 'duet_placements';

export type StopListening = () => Promise<void>;

/** Use of one replica by this process. */
export interface ReplicaStatus {
  /** Host and port. */
  name: string;
  /** Replication lag. Absent when the replica does not answer, or is on another timeline than the primary. */
  lagSeconds?: number;
  /** Whether the lag is small enough to read from it. */
  inUse: boolean;
  /** Statements that the replica answered; `failed` counts those that fell back to the primary. */
  answered: number;
  failed: number;
}

export interface ReplicaRouterStatus {
  servers: ReplicaStatus[];
  /** Operations that may read from a replica, counted by the server that was chosen. */
  operations: { replica: number; primary: number };
}

export interface ReplicaRouter {
  /** Current lag and counters. */
  status(): Promise<ReplicaRouterStatus>;
  /** Read function of a replica that has replayed `position` (any fresh replica without it); undefined: read from the primary. */
  readerAt(position: string | undefined): Db['shortRead'] | undefined;
  /** WAL position (LSN) of the primary, after every commit so far. */
  currentLsn(): Promise<string>;
  close(): Promise<void>;
}

export interface Db extends QueryHandle {
  readonly prisma: PrismaClient;
  /** The same database with an audit context and a deadline for its statements. */
  withContext(queryContext: QueryContext): Db;
  /** The handle of the process itself writes as the service, without a deadline. */
  readonly queryContext: QueryContext;
  /** True for PGlite inside this process, false for a PostgreSQL server. */
  readonly embedded: boolean;
  /**
   * Runs one short read-only statement: a lookup by key, or one page by its index. Such statements are pipelined on a few connections
   * of their own, without waiting for each other's results; if a connection breaks, the statement is retried on the pool.
   */
  shortRead<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Whether short reads and inserts of one tick share a statement across requests. False with FAST_PATH=off. */
  readonly batching: boolean;
  /** Present when read replicas are configured. */
  readonly replicas?: ReplicaRouter;
  /** Replica for reading products and content. Present when the viewer accepts data that lags behind the primary. */
  readonly contentReplica?: Db;
  /** Records that this process has read, one version each. */
  readonly recordCache: RecordCache;
  /** Runs several statements without parameters and returns the rows of the last one. */
  script<Row>(text: string): Promise<Row[]>;
  ping(): Promise<void>;
  /** Connections of the pool; `waiting` counts requests that wait for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** Resolves once the channel is subscribed: later notifications arrive, or `onReconnect` is called. `close` unsubscribes too. */
  listen(listener: NotificationListener, channel?: NotificationChannel): Promise<StopListening>;
  /** Embedded only: runs `run` on the data directory after a checkpoint, while all statements wait. */
  withCheckpointedFiles<T>(run: (directory: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** Runs `run` with an adapter for the schema engine, in one process at a time. Only `migrate` uses it. */
  withMigrationAdapter<T>(run: (adapter: SqlMigrationAwareDriverAdapterFactory) => Promise<T>): Promise<T>;
}

/** Handle that still works after the deadline of the operation, for undoing or recording what has already taken effect. */
export const removeDeadline = (db: Db): Db => db.withContext({ auditContext: db.queryContext.auditContext });

export type OnStatement = (text: string) => void;

/** Called when a transaction begins. The returned function receives each of its statements before it is sent, and may throw. */
export type OnTransaction = () => OnStatement;

/** Calls `onStatement` for every statement except transaction control such as BEGIN, SAVEPOINT and COMMIT. */
export function skipTransactionControl(onStatement: OnStatement): OnStatement {
  return (text) => {
    if (!/^\s*(begin|commit|rollback|savepoint|release|set transaction)\b/i.test(text)) onStatement(text);
  };
}
