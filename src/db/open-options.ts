/** Options for opening a database, and their defaults. */
import type { RecordCache } from '../lib/cache/record-cache.ts';
import { omitUndefined } from '../lib/json/plain-objects.ts';
import type { OnStatement, OnTransaction } from './handles.ts';
import type { PreparedStatementMode } from './postgres/detect-prepared-statement-support.ts';

export interface OpenDbOptions {
  /** Connection URL of PostgreSQL or of a connection pooler. Absent: the embedded database. */
  url?: string | undefined;
  /** Connection URL of the server itself, when `url` leads to a pooler such as PgBouncer. */
  directUrl?: string | undefined;
  /** Whether the pooler supports named prepared statements; `auto` (default) probes it. Ignored without a pooler. */
  prepared?: PreparedStatementMode | undefined;
  /** Read replicas of the server at `url`. Default: none. */
  replicaUrls?: readonly string[] | undefined;
  /** Replicas that lag further behind are not read from. Default: 5,000 ms. */
  replicaMaxLagMs?: number | undefined;
  /** Directory of the embedded database, or `memory` (default). Used only without `url`. */
  dataDir?: string | undefined;
  /** An archive from `scripts/database-template.ts` (path or content) to create a missing `dataDir` from. */
  template?: string | Blob | undefined;
  /** Time to wait for another process that has `dataDir` open. Default: 10,000 ms. */
  lockWaitMs?: number | undefined;
  /** Receives every statement of both handles; tests count them. */
  onStatement?: OnStatement | undefined;
  /** Observes transactions; tests check the lock order (test/support/lock-order.ts). */
  onTransaction?: OnTransaction | undefined;
  /** Receives the statements of `sql` before they are sent, and may throw; tests reject those that write. */
  onRead?: OnStatement | undefined;
  /** Receives the seconds that each request waited for a connection of the pool. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Receives errors of connections lost in the background; the pool replaces them. */
  onError?: ((error: Error) => void) | undefined;
  /** Receives the error after which the embedded database rejects every statement, such as a full disk. */
  onCrash?: ((error: Error) => void) | undefined;
  /** Receives statements of `shortRead` that took longer than 100 ms. */
  onSlowRead?: ((text: string, ms: number) => void) | undefined;
  /** Size limit of the record cache. Default: 64 MiB. */
  cacheBytes?: number | undefined;
  /** Batches short reads and inserts of one tick across requests. Default: true. */
  batching?: boolean | undefined;
  /** Deeply freezes cached records, which requests share, so that a write throws. For tests. Default: false. */
  freezeRecords?: boolean | undefined;
  /** Default: 10. */
  poolSize?: number | undefined;
  /** Default: 30,000 ms. */
  statementTimeoutMs?: number | undefined;
  /** Time to wait for a connection to PostgreSQL, including the wait for a free one of the pool. Default: 5,000 ms. */
  connectionTimeoutMs?: number | undefined;
}

const defaultDbOptions = {
  prepared: 'auto' as PreparedStatementMode,
  replicaUrls: [] as readonly string[],
  replicaMaxLagMs: 5_000,
  dataDir: 'memory',
  onError: (_error: Error): void => {},
  onSlowRead: (_text: string, _ms: number): void => {},
  cacheBytes: 64 * 1024 * 1024,
  batching: true,
  poolSize: 10,
  statementTimeoutMs: 30_000,
  connectionTimeoutMs: 5_000,
};

type Defaults = typeof defaultDbOptions;

/** Options with their defaults, as the two kinds of databases receive them. */
export type ResolvedDbOptions = Omit<OpenDbOptions, keyof Defaults> & Defaults & { recordCache: RecordCache };

export const applyDbDefaults = (options: OpenDbOptions): Omit<OpenDbOptions, keyof Defaults> & Defaults => ({
  ...defaultDbOptions,
  ...omitUndefined(options),
});
