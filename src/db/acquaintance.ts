/** What every connection is told first, and how we notice that another database stands where ours stood. */
import type pg from 'pg';
import type { RecordCache } from '../lib/kept.ts';
import { forgive, planOnce, workAlone } from './sql.ts';

/** Changes when the server was started anew, another took its place, or the database was made anew under its name. */
export const whoIsThere = `SELECT pg_postmaster_start_time()::text || ' ' || oid AS identity FROM pg_database WHERE datname = current_database()`;
export const setUp = `${planOnce}; ${whoIsThere}; ${workAlone}; ${forgive}`;
/** For where a server may turn out to follow another one: what waits for an answer on this connection is asked elsewhere. */
export const leaveStandby = `SELECT pg_terminate_backend(pg_backend_pid()) WHERE pg_is_in_recovery()`;

/** A database that is not the one we knew may have been restored. */
export function acquaintance(kept: RecordCache): (results: pg.QueryResult | pg.QueryResult[]) => void {
  let known: string | undefined;
  return (results) => {
    const last = Array.isArray(results) ? results[1] : results;
    const identity: string | undefined = last?.rows[0]?.identity;
    if (known !== undefined && identity !== known) kept.forget();
    known = identity;
  };
}
