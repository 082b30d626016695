/** Opens the database: a PostgreSQL server when there is a URL, otherwise PGlite inside this process. */

import { RecordCache } from '../lib/cache/record-cache.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { type Db, type OnStatement, skipTransactionControl } from './handles.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import type { PreparedStatementMode } from './postgres/prepared-support.ts';

export interface OpenDbOptions {
  /** The address of a PostgreSQL server. */
  url?: string | undefined;
  /** The server itself, when a pooler stands at `url`. */
  directUrl?: string | undefined;
  /** Whether the pooler keeps named statements; it is asked unless this says so. Without one they always are named. */
  prepared?: PreparedStatementMode | undefined;
  /** Servers that follow the one at `url`. */
  replicaUrls?: readonly string[] | undefined;
  replicaMaxLagMs?: number | undefined;
  /** Without `url`: the directory of the embedded database, or `memory`. */
  dataDir?: string | undefined;
  /** An archive from `scripts/template.ts` (path or content) to create a missing `dataDir` from. */
  template?: string | Blob | undefined;
  /** Sees every statement of both handles, for tests that count them. */
  onStatement?: OnStatement | undefined;
  /** Hears how many seconds somebody waited for a connection of the pool. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Hears of connections lost in the background; the pool replaces them. */
  onError?: ((error: Error) => void) | undefined;
  /** Hears of statements that called themselves short and were not. */
  onSlowRead?: ((text: string, ms: number) => void) | undefined;
  /** How many bytes of what was read may be kept in memory. */
  cacheBytes?: number | undefined;
  poolSize?: number | undefined;
  statementTimeoutMs?: number | undefined;
}

const defaultCacheBytes = 64 * 1024 * 1024;

export async function openDb(options: OpenDbOptions): Promise<Db> {
  const onStatement = options.onStatement && skipTransactionControl(options.onStatement);
  const kept = new RecordCache(options.cacheBytes ?? defaultCacheBytes);
  if (options.url === undefined) {
    const { dataDir = 'memory', template } = options;
    return openEmbedded({ dataDir, template, onStatement, recordCache: kept });
  }
  return openPostgres({
    recordCache: kept,
    url: options.url,
    directUrl: options.directUrl,
    prepared: options.prepared ?? 'auto',
    replicaUrls: options.replicaUrls ?? [],
    replicaMaxLagMs: options.replicaMaxLagMs ?? 5_000,
    poolSize: options.poolSize ?? 10,
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    onStatement,
    onWait: options.onWait,
    onError: options.onError ?? (() => {}),
    onSlowRead: options.onSlowRead ?? (() => {}),
  });
}
