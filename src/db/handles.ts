/** The two handles on the database: `sql` for hot statements, `prisma` for everything else. */
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** The models of Prisma. Raw statements belong to `sql`. */
export type PrismaModels = Omit<Prisma.TransactionClient, `$${string}`>;

import type { RecordCache } from '../lib/cache/record-cache.ts';
import type { QueryContext } from './query-context.ts';

export interface Queries {
  /** Prisma on the same connection: inside a transaction it is part of it, on both databases. */
  readonly prisma: PrismaModels;
  /**
   * Runs one statement. On PostgreSQL it is a named prepared statement, prepared once per connection.
   * `int8` comes back as a number and `json` parsed; send a JSON parameter as `JSON.stringify` text.
   */
  sql<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs `run` in a transaction; inside one it joins it. Inside `run` use only the handle it is given: the
   * embedded database has a single connection and rejects the others until the transaction ends.
   */
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>;
  /** What a record of this version becomes by a change: the next one, or one beyond those that were lost, see lineage.ts. */
  nextVersion(version: number): number;
}

/** Who is told what was announced in the database, by any process. */
export interface NotificationListener {
  onNotification(payload: string): void;
  /** The connection was lost and is back: what was announced meanwhile is gone. */
  onReconnect(): void;
}

/** What is announced: changes for live updates (the default), or the ids of sessions that were ended. */
export type NotificationChannel = 'duet_live' | 'duet_revoked';

export type StopListening = () => Promise<void>;

/** Servers that follow this one, see replicas.ts. */
/** How one replica is used by this process. */
export interface ReplicaStatus {
  /** Host and port. */
  name: string;
  /** It has everything up to so long ago; unknown when it does not answer, or has left the primary's branch of history. */
  lagSeconds?: number;
  /** Whether it is fresh enough to be read from. */
  inUse: boolean;
  /** Statements that it answered, and those that the primary was asked instead. */
  answered: number;
  failed: number;
}

export interface ReplicaRouterStatus {
  servers: ReplicaStatus[];
  /** Operations that may be answered by a replica, by who was asked. */
  operations: { replica: number; primary: number };
}

export interface ReplicaRouter {
  /** As it is now. */
  status(): Promise<ReplicaRouterStatus>;
  /** A way to read from a replica that has this position, if it says one; undefined: from the primary. */
  readerAt(position: string | undefined): Db['shortRead'] | undefined;
  /** A position that has everything which was committed before. */
  currentLsn(): Promise<string>;
  close(): Promise<void>;
}

export interface Db extends Queries {
  readonly prisma: PrismaClient;
  /** The same database, asked on behalf of somebody. */
  withContext(queryContext: QueryContext): Db;
  /** On behalf of whom. */
  readonly queryContext: QueryContext | undefined;
  /** Whether this is PGlite inside this process, not a PostgreSQL server. */
  readonly embedded: boolean;
  /**
   * Runs one statement that only reads, and never for long: by key, or one page by its index. Such statements share connections of
   * their own and do not wait for each other; should a connection break, they are asked once more.
   */
  shortRead<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Present when there are replicas. */
  readonly replicas?: ReplicaRouter;
  /** Present when this reader may be told what was there a moment ago: where products and content are read. */
  readonly contentReplica?: Db;
  /** What this process has read, by version. */
  readonly recordCache: RecordCache;
  /** Runs several statements without parameters and returns the rows of the last one. */
  script<Row>(text: string): Promise<Row[]>;
  ping(): Promise<void>;
  /** Of the pool; waiting: those who want one. */
  connections(): { open: number; idle: number; waiting: number };
  /** Resolves once everything that is announced from now on arrives, or `missed` is called. Closing ends it too. */
  listen(listener: NotificationListener, channel?: NotificationChannel): Promise<StopListening>;
  /** Embedded only: runs `run` on the database's files, complete and at rest; statements wait meanwhile. */
  withCheckpointedFiles<T>(run: (directory: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** Runs `run` with a connection for the schema engine, in one process at a time. Only `migrate` needs it. */
  withMigrationAdapter<T>(run: (adapter: SqlMigrationAwareDriverAdapterFactory) => Promise<T>): Promise<T>;
}

/** Where products and content are read. What is decided is decided by the database itself. */
export const contentReadDb = (db: Db): Db => db.contentReplica ?? db;

export type OnStatement = (text: string) => void;

/** Calls `onStatement` for every statement but those that only open, mark or end a transaction. */
export function skipTransactionControl(onStatement: OnStatement): OnStatement {
  return (text) => {
    if (!/^\s*(begin|commit|rollback|savepoint|release|set transaction)\b/i.test(text)) onStatement(text);
  };
}

/**
 * For every session: our statements are few and mean the same every time, so one plan serves all parameters. Planning anew would
 * cost more than it finds, and the two databases would not agree.
 */
export const genericPlanSql = 'SET plan_cache_mode = force_generic_plan';

/** For every session: people wait for short statements, and to start workers takes longer than to do without. */
export const noParallelWorkersSql = 'SET max_parallel_workers_per_gather = 0';

/** For every session: how alike a mistyped word must be at least (src/domains/products/search/text-search.ts). Nothing where there is no pg_trgm. */
export const trigramThresholdSql = 'SET pg_trgm.strict_word_similarity_threshold = 0.35';

const int8 = 20;
const int8Array = 1016;

/** How `sql` reads types differently from its drivers: our 64-bit integers are all safe in a number. */
export const sqlTypeParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [int8, Number],
  [int8Array, parseIntegers],
]);

function parseIntegers(text: string): (number | null)[] {
  const items = text.slice(1, -1);
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : Number(item)));
}
