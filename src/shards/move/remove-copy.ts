/** Removes the copy of a business, or what a move has left, from the server that does not have it by the directory. */
import { type BusinessTable, buildBusinessCondition, quoteName } from './business-tables.ts';
import { hasBusiness } from './check-prerequisites.ts';
import { assertDirectoryNames, recordMoveStep } from './move-record.ts';
import type { Move, MoveServer } from './open-move.ts';
import { acceptWrites, rejectAllWrites } from './pause-writes.ts';
import { resetReplicaIdentities } from './replica-identity.ts';
import { stopCopy } from './replication.ts';

const rowsPerStatement = 10_000;

/** The rows of the target are deleted: the source must have the business, by the directory and in fact. */
export async function removeCopy(move: Move, tables: readonly BusinessTable[]): Promise<void> {
  const { businessId, source, target } = move;
  await assertDirectoryNames(move, source.name);
  // A business that was deleted during the copy is on no server.
  if (
    !(await hasBusiness(source.connection, businessId)) &&
    (await hasBusiness(target.connection, businessId))
  )
    throw new Error(`The business is not on ${source.name}: its rows on ${target.name} are not deleted.`);
  await recordMoveStep(move, 'REMOVING');
  // A process that was killed at the switch, before it changed the directory.
  await acceptWrites(move, source);
  await rejectAllWrites(move, target);
  await stopCopy(move);
  await deleteRows(move, target, tables);
  await resetReplicaIdentities(source.connection, tables);
}

/** The rows of the source are deleted: the target has the business by the directory. */
export async function removeOldRows(move: Move, tables: readonly BusinessTable[]): Promise<void> {
  await assertDirectoryNames(move, move.target.name);
  // Otherwise the target would apply the deletions.
  await stopCopy(move);
  await deleteRows(move, move.source, tables);
  await resetReplicaIdentities(move.source.connection, tables);
}

/** Without triggers: nothing happens to the business, so there is no change, event or purge. */
async function deleteRows(
  { businessId }: Move,
  { connection }: MoveServer,
  tables: readonly BusinessTable[],
): Promise<void> {
  await connection.query('SET session_replication_role = replica');
  try {
    for (const table of tables) {
      const name = quoteName(table.name);
      let deleted: unknown[];
      do
        deleted = await connection.query(
          `DELETE FROM ${name} WHERE ctid = ANY (array(
             SELECT ctid FROM ${name} WHERE ${buildBusinessCondition(table, businessId)} LIMIT ${rowsPerStatement})) RETURNING 1`,
        );
      while (deleted.length === rowsPerStatement);
    }
  } finally {
    await connection.query('RESET session_replication_role');
  }
}
