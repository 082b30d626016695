/** The pool that takes whatever may last or write. On each connection the database is met before anything else is asked. */
import pg from 'pg';
import type { RecordCache } from '../../lib/cache/record-cache.ts';
import type { PrimaryLocator } from '../replication/primary-locator.ts';
import type { RestoreGuard } from '../restore-guard.ts';
import { measurePoolWaits } from './pool-wait-times.ts';
import type { PreparedSupport } from './prepared-support.ts';
import {
  createServerIdentityCheck,
  type QueryResults,
  readServerIdentity,
  serverIdentitySql,
  sessionSetupSql,
  terminateOnStandbySql,
} from './server-identity.ts';

export interface PoolOptions {
  connection: pg.ClientConfig;
  /** What it connects to: the server, or a pooler, whose sessions are not ours to change. */
  target: PrimaryLocator;
  pooled: boolean;
  preparedSupport: PreparedSupport;
  restoreGuard: RestoreGuard;
  size: number;
  recordCache: RecordCache;
  onWait: ((seconds: number) => void) | undefined;
  onError: (error: Error) => void;
}

/** A connection that has just been made, and whose server does not say who it is. */
const helloMs = 5_000;

export function openPool({
  connection,
  target: front,
  pooled,
  preparedSupport: naming,
  restoreGuard: lineage,
  size,
  recordCache: kept,
  onWait,
  onError,
}: PoolOptions) {
  const hello = pooled
    ? serverIdentitySql
    : front.hasSeveralHosts
      ? `${sessionSetupSql}; ${terminateOnStandbySql}`
      : sessionSetupSql;
  // A pooler may have gone on to another server behind connections that stay.
  const meet = createServerIdentityCheck(kept, () => {
    if (pooled) lineage.registerDatabase((text) => pool.query(text)).catch(onError);
  });
  let met: string | undefined;
  const pool = new pg.Pool({
    ...connection,
    Client: front.Client,
    max: size,
    idleTimeoutMillis: 60_000,
    onConnect: async (client) => {
      const ask = (text: string) => client.query({ text, query_timeout: helloMs } as pg.QueryConfig);
      const results: QueryResults = await ask(hello);
      meet(results);
      const identity = readServerIdentity(results);
      if (identity !== met && (await lineage.registerDatabase(ask))) met = identity;
      await naming.probe(client);
    },
  });
  if (onWait) measurePoolWaits(pool, onWait);
  // Without a listener a lost connection ends the process. The pool repeats, with the whole client, what an idle one has said.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  return { pool, meet };
}
