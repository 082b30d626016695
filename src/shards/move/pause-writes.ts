/** Write fences: a short pause of the writes of one business, and the rejection of writes where it does not live. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type BusinessTable, quoteName } from './business-tables.ts';
import { changeTable } from './change-table-with-short-lock.ts';
import type { Move, MoveServer } from './open-move.ts';
import { waitUntilApplied } from './replication.ts';

/** Writes in progress, and the target, get this long each. The fence ends by itself after ten seconds. */
const maxWaitMs = 3_000;
const attempts = 5;

/** Enables the fences of a server, which have no effect until there is an entry in business_write_fences. */
export async function installWriteFences(
  { connection }: MoveServer,
  tables: readonly BusinessTable[],
): Promise<void> {
  for (const { name } of tables)
    await changeTable(connection, `CALL "enable_write_fence"('${quoteName(name)}')`);
}

/** The rows of the business on this server are a copy, or remains: they are not written, except by replication. */
export const rejectAllWrites = (
  { businessId }: Move,
  { connection }: Pick<MoveServer, 'connection'>,
): Promise<unknown> =>
  connection.query(
    `INSERT INTO business_write_fences (business_id, reason, since) VALUES ($1, 'ELSEWHERE', floor(extract(epoch FROM clock_timestamp())))
     ON CONFLICT (business_id) DO UPDATE SET reason = 'ELSEWHERE', since = excluded.since`,
    [businessId],
  );

export const acceptWrites = ({ businessId }: Move, { connection }: MoveServer): Promise<unknown> =>
  connection.query('DELETE FROM business_write_fences WHERE business_id = $1', [businessId]);

/** Transactions that have written, or are about to write, a table. They may have passed its fence before the fence was set. */
async function listWriters({ source }: Move, tables: readonly BusinessTable[]): Promise<string[]> {
  const rows = await source.connection.query<{ writer: string }>(
    `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
     WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND relation = ANY (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname::text = ANY ($1))`,
    [tables.map(({ name }) => name)],
  );
  return rows.map(({ writer }) => writer);
}

async function waitForWriters(move: Move, tables: readonly BusinessTable[]): Promise<boolean> {
  const until = performance.now() + maxWaitMs;
  let remaining = await listWriters(move, tables);
  while (remaining.length > 0) {
    if (performance.now() > until) return false;
    await sleep(5);
    const current = new Set(await listWriters(move, tables));
    remaining = remaining.filter((writer) => current.has(writer));
  }
  return true;
}

/** Throws if the fence has another reason: writes are rejected already. */
async function setFence({ businessId, source: { connection } }: Move): Promise<void> {
  const rows = await connection.query(
    `INSERT INTO business_write_fences (business_id, reason, since) VALUES ($1, 'SNAPSHOT', floor(extract(epoch FROM clock_timestamp())))
     ON CONFLICT (business_id) DO UPDATE SET since = excluded.since WHERE business_write_fences.reason = 'SNAPSHOT' RETURNING 1`,
    [businessId],
  );
  if (rows.length === 0) throw new OperatorError('The business has a write fence already.');
}

/** Does nothing to a fence that was made permanent. */
const removeFence = ({ businessId, source: { connection } }: Move): Promise<unknown> =>
  connection.query("DELETE FROM business_write_fences WHERE business_id = $1 AND reason = 'SNAPSHOT'", [
    businessId,
  ]);

const isEffectiveSql = "reason = 'SNAPSHOT' AND since > extract(epoch FROM clock_timestamp()) - 10";

/** Whether writes have been rejected since the fence was set, which ends by itself: otherwise there may have been some. */
export async function isPauseInEffect({ businessId, source: { connection } }: Move): Promise<boolean> {
  const rows = await connection.query(
    `SELECT FROM business_write_fences WHERE business_id = $1 AND ${isEffectiveSql}`,
    [businessId],
  );
  return rows.length > 0;
}

/** From now on writes are rejected also if this process is killed. False: the pause has ended before. */
export async function makePausePermanent({ businessId, source: { connection } }: Move): Promise<boolean> {
  const rows = await connection.query(
    `UPDATE business_write_fences SET reason = 'SWITCHING' WHERE business_id = $1 AND ${isEffectiveSql} RETURNING 1`,
    [businessId],
  );
  return rows.length > 0;
}

async function tryToPause<T>(
  move: Move,
  tables: readonly BusinessTable[],
  run: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await setFence(move);
  try {
    if (!(await waitForWriters(move, tables)) || !(await waitUntilApplied(move, maxWaitMs))) return undefined;
    return await run();
  } finally {
    await removeFence(move);
  }
}

/**
 * Calls `run` while the writes of the business are rejected, and both servers have the same rows of it. Tries again if `run` returns
 * undefined, because the pause has ended too early. `pauseMs`: the time for which writes were rejected.
 */
export async function pauseWrites<T>(
  move: Move,
  tables: readonly BusinessTable[],
  run: () => Promise<T | undefined>,
): Promise<{ result: T; pauseMs: number }> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const startedAt = performance.now();
    const result = await tryToPause(move, tables, run);
    if (result !== undefined) return { result, pauseMs: performance.now() - startedAt };
    await sleep(1_000 * attempt);
  }
  const tooSlow = `Running transactions, or ${move.target.name}, needed more than ${maxWaitMs / 1000} s`;
  throw new OperatorError(`${tooSlow} in each of ${attempts} attempts. Try again later.`);
}
