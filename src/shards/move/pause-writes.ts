/** A short pause of the writes of one business, in which both servers have the same rows of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type MaintenanceConnection,
  openMaintenanceConnection,
} from '../../db/postgres/maintenance-connection.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type BusinessTable, quoteName } from './business-tables.ts';
import { changeTable } from './change-table-with-short-lock.ts';
import type { Move, MoveServer } from './open-move.ts';
import { waitUntilApplied } from './replication.ts';

/** Writes in progress, and the target, get this long each. The fence ends by itself after ten seconds. */
const maxWaitMs = 3_000;
const attempts = 5;

/** Enables the fences of the source, which have no effect until there is an entry in business_write_fences. */
export async function installWriteFences(
  { source: { connection } }: Move,
  tables: readonly BusinessTable[],
): Promise<void> {
  for (const { name } of tables)
    await changeTable(connection, `CALL "enable_write_fence"('${quoteName(name)}')`);
}

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

/** Throws if the fence has another reason: writes are rejected already, by a move. */
async function setFence({ businessId }: Move, connection: MaintenanceConnection): Promise<void> {
  const rows = await connection.query(
    `INSERT INTO business_write_fences (business_id, reason, since) VALUES ($1, 'SNAPSHOT', floor(extract(epoch FROM clock_timestamp())))
     ON CONFLICT (business_id) DO UPDATE SET since = excluded.since WHERE business_write_fences.reason = 'SNAPSHOT' RETURNING 1`,
    [businessId],
  );
  if (rows.length === 0) throw new OperatorError('The business has a write fence already.');
}

/** Whether the fence has been in effect until now: otherwise there may have been writes. */
async function removeFence({ businessId }: Move, connection: MaintenanceConnection): Promise<boolean> {
  const [row] = await connection.query<{ effective: boolean }>(
    `DELETE FROM business_write_fences WHERE business_id = $1 AND reason = 'SNAPSHOT'
     RETURNING since > extract(epoch FROM clock_timestamp()) - 10 AS effective`,
    [businessId],
  );
  return row?.effective ?? false;
}

/** The snapshot is taken by the first statement. */
async function beginSnapshot({ connection }: MoveServer): Promise<void> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await connection.query('SELECT FROM businesses LIMIT 1');
}

export const endSnapshot = ({ connection }: MoveServer): Promise<unknown[]> => connection.query('ROLLBACK');

/** Begins a read-only transaction on each server. False: writes or the target took too long. */
async function tryToTakeSnapshots(
  move: Move,
  tables: readonly BusinessTable[],
  fenceConnection: MaintenanceConnection,
): Promise<boolean> {
  let isEffective = false;
  await setFence(move, fenceConnection);
  try {
    if (!(await waitForWriters(move, tables)) || !(await waitUntilApplied(move, maxWaitMs))) return false;
    await Promise.all([beginSnapshot(move.source), beginSnapshot(move.target)]);
  } finally {
    isEffective = await removeFence(move, fenceConnection);
  }
  if (!isEffective) await Promise.all([endSnapshot(move.source), endSnapshot(move.target)]);
  return isEffective;
}

/**
 * Begins a read-only transaction on each server, in which both have the same rows of the business. Returns the milliseconds for which
 * its writes were rejected.
 */
export async function pauseWritesAndTakeSnapshots(
  move: Move,
  tables: readonly BusinessTable[],
): Promise<number> {
  const fenceConnection = await openMaintenanceConnection(move.source.url);
  try {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const startedAt = performance.now();
      if (await tryToTakeSnapshots(move, tables, fenceConnection)) return performance.now() - startedAt;
      await sleep(1_000 * attempt);
    }
  } finally {
    await fenceConnection.close();
  }
  const tooSlow = `Running transactions, or ${move.target.name}, needed more than ${maxWaitMs / 1000} s`;
  throw new OperatorError(`${tooSlow} in each of ${attempts} attempts. Try again later.`);
}
