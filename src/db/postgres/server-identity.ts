/** What every connection is told first, and how we notice that another database stands where ours stood. */
import type pg from 'pg';
import type { RecordCache } from '../../lib/cache/record-cache.ts';
import { genericPlanSql, noParallelWorkersSql, trigramThresholdSql } from '../handles.ts';

/** Changes when the server was started anew, another took its place, or the database was made anew under its name. */
export const serverIdentitySql = `SELECT pg_postmaster_start_time()::text || ' ' || oid AS identity FROM pg_database WHERE datname = current_database()`;
export const sessionSetupSql = `${genericPlanSql}; ${serverIdentitySql}; ${noParallelWorkersSql}; ${trigramThresholdSql}`;
/** For where a server may turn out to follow another one: what waits for an answer on this connection is asked elsewhere. */
export const terminateOnStandbySql = `SELECT pg_terminate_backend(pg_backend_pid()) WHERE pg_is_in_recovery()`;

export type QueryResults = pg.QueryResult | pg.QueryResult[];

export const readServerIdentity = (results: QueryResults): string | undefined =>
  (Array.isArray(results) ? results[1] : results)?.rows[0]?.identity;

/** A database that is not the one we knew may have been restored. */
export function createServerIdentityCheck(
  kept: RecordCache,
  onOther: () => void,
): (results: QueryResults) => void {
  let known: string | undefined;
  return (results) => {
    const identity = readServerIdentity(results);
    const isOther = known !== undefined && identity !== known;
    known = identity;
    if (!isOther) return;
    kept.clear();
    onOther();
  };
}
