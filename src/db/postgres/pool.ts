/** Connection pool for statements that write or may run long. Each new connection is set up and verified before its first statement. */
import { hostname } from 'node:os';
import type pg from 'pg';
import type { RecordCache } from '../../lib/cache/record-cache.ts';
import { packageVersion } from '../../lib/package-info.ts';
import { createInterceptedPool, type InterceptedPool } from '../../vendor/pg/intercepted-pool.ts';
import type { PrimaryLocator } from '../replication/primary-locator.ts';
import type { RestoreGuard } from '../unique-versions-after-restore.ts';
import { destroyUnresponsiveSocket, startWatchdog } from './dead-connections.ts';
import type { PreparedStatementSupport } from './detect-prepared-statement-support.ts';
import {
  createServerIdentityCheck,
  parseServerIdentity,
  type SetupQueryResults,
  serverIdentitySql,
  sessionSetupSql,
  terminateOnStandbySql,
} from './session-setup-and-server-identity.ts';

/** Identifies version, host and process in pg_stat_activity. PostgreSQL truncates it to 63 bytes. */
export const postgresApplicationName = `duet ${packageVersion} ${hostname().slice(0, 30)}:${process.pid}`;

interface PoolOptions {
  connection: pg.ClientConfig;
  /** The server or a pooler. Session settings of a pooler's connections must not be changed. */
  target: PrimaryLocator;
  pooled: boolean;
  preparedSupport: PreparedStatementSupport;
  restoreGuard: RestoreGuard;
  size: number;
  recordCache: RecordCache;
  onWait: ((seconds: number) => void) | undefined;
  onError: (error: Error) => void;
}

/** Timeout of each setup statement on a new connection. */
const setupTimeoutMs = 5_000;

export function openPool({
  connection,
  target,
  pooled,
  preparedSupport,
  restoreGuard,
  size,
  recordCache,
  onWait,
  onError,
}: PoolOptions): InterceptedPool & { checkIdentity: (results: SetupQueryResults) => void } {
  const setupSql = pooled
    ? serverIdentitySql
    : target.hasSeveralHosts
      ? `${sessionSetupSql}; ${terminateOnStandbySql}`
      : sessionSetupSql;
  // A pooler may switch to another server behind connections that stay open.
  const checkIdentity = createServerIdentityCheck(recordCache, () => {
    if (pooled) restoreGuard.registerDatabase((text) => pool.query(text)).catch(onError);
  });
  let registeredIdentity: string | undefined;
  const config: pg.PoolConfig = {
    ...connection,
    Client: target.Client,
    max: size,
    idleTimeoutMillis: 60_000,
    onConnect: async (client) => {
      const query = async (text: string) => {
        const stopWatchdog = startWatchdog(setupTimeoutMs, () => destroyUnresponsiveSocket(client));
        try {
          return await client.query(text);
        } finally {
          stopWatchdog();
        }
      };
      const results: SetupQueryResults = await query(setupSql);
      checkIdentity(results);
      const identity = parseServerIdentity(results);
      if (identity !== registeredIdentity && (await restoreGuard.registerDatabase(query)))
        registeredIdentity = identity;
      await preparedSupport.probe(client);
    },
  };
  const { pool, interceptQuery } = createInterceptedPool(config, onWait);
  // An unhandled `error` event would end the process. Errors are reported per client below; the pool repeats those of idle clients.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  return { pool, interceptQuery, checkIdentity };
}
