/** Opens the database: a PostgreSQL server when there is a URL, otherwise PGlite inside this process. */

import { RecordCache } from '../lib/cache/record-cache.ts';
import { openEmbeddedDb } from './embedded/open-embedded.ts';
import { type Db, type OnStatement, type OnTransaction, skipTransactionControl } from './handles.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import type { PreparedStatementMode } from './postgres/prepared-statement-support.ts';

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

const defaultCacheBytes = 64 * 1024 * 1024;

export async function openDb(options: OpenDbOptions): Promise<Db> {
  const onStatement = options.onStatement && skipTransactionControl(options.onStatement);
  const batching = options.batching ?? true;
  const recordCache = new RecordCache(options.cacheBytes ?? defaultCacheBytes, options.freezeRecords);
  if (options.url === undefined) {
    const { dataDir = 'memory', template, lockWaitMs, onCrash, onTransaction, onRead } = options;
    return openEmbeddedDb({
      dataDir,
      template,
      lockWaitMs,
      onStatement,
      onTransaction,
      onRead,
      onCrash,
      recordCache,
      batching,
    });
  }
  return openPostgres({
    recordCache,
    batching,
    url: options.url,
    directUrl: options.directUrl,
    prepared: options.prepared ?? 'auto',
    replicaUrls: options.replicaUrls ?? [],
    replicaMaxLagMs: options.replicaMaxLagMs ?? 5_000,
    poolSize: options.poolSize ?? 10,
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    connectionTimeoutMs: options.connectionTimeoutMs ?? 5_000,
    onStatement,
    onTransaction: options.onTransaction,
    onRead: options.onRead,
    onWait: options.onWait,
    onError: options.onError ?? (() => {}),
    onSlowRead: options.onSlowRead ?? (() => {}),
  });
}
