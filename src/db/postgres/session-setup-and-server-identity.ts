/** Session setup of every connection, and verification of the server's identity, which detects a replaced or restored database. */
import type pg from 'pg';
import type { RecordCache } from '../../lib/cache/record-cache.ts';
import {
  genericPlanSql,
  noParallelWorkersSql,
  trigramThresholdSql,
} from '../session-settings-and-type-parsers.ts';

/** Changes when the server restarted, was replaced by another server, or the database was recreated under its name. */
export const serverIdentitySql = `SELECT pg_postmaster_start_time()::text || ' ' || oid AS identity FROM pg_database WHERE datname = current_database()`;
export const sessionSetupSql = `${genericPlanSql}; ${serverIdentitySql}; ${noParallelWorkersSql}; ${trigramThresholdSql}`;
/** For a host list: ends the connection if the server is a standby, so that its statements are retried on another host. */
export const terminateOnStandbySql = `SELECT pg_terminate_backend(pg_backend_pid()) WHERE pg_is_in_recovery()`;

export type SetupQueryResults = pg.QueryResult | pg.QueryResult[];

export const parseServerIdentity = (results: SetupQueryResults): string | undefined =>
  (Array.isArray(results) ? results[1] : results)?.rows[0]?.identity;

/** Clears the record cache and calls `onChange` when the identity changes: the database may have been restored. */
export function createServerIdentityCheck(
  recordCache: RecordCache,
  onChange: () => void,
): (results: SetupQueryResults) => void {
  let lastIdentity: string | undefined;
  return (results) => {
    const identity = parseServerIdentity(results);
    const hasChanged = lastIdentity !== undefined && identity !== lastIdentity;
    lastIdentity = identity;
    if (!hasChanged) return;
    recordCache.clear();
    onChange();
  };
}
