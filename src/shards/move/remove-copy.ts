/** Removes the copy of a business from the server that does not have it by the directory, and all that was created for the copy. */
import { homeServerName } from '../../shard-variables.ts';
import { type BusinessTable, buildBusinessCondition, quoteName } from './business-tables.ts';
import { hasBusiness } from './check-prerequisites.ts';
import { recordMoveStep } from './move-record.ts';
import type { Move } from './open-move.ts';
import { resetReplicaIdentities } from './replica-identity.ts';
import { stopCopy } from './replication.ts';

const rowsPerStatement = 10_000;

export async function removeCopy(move: Move, tables: readonly BusinessTable[]): Promise<void> {
  await assertOnSource(move);
  await recordMoveStep(move, 'REMOVING');
  await stopCopy(move);
  await deleteRows(move, tables);
  await resetReplicaIdentities(move.source.connection, tables);
}

/** The rows of the target are deleted: the source must have the business, by the directory and in fact. */
async function assertOnSource({ businessId, home, source, target }: Move): Promise<void> {
  const [placement] = await home.query<{ shard: string }>(
    'SELECT shard FROM business_placements WHERE business_id = $1',
    [businessId],
  );
  const server = placement?.shard ?? homeServerName;
  if (server !== source.name || server === target.name)
    throw new Error(`The directory names ${server}, not ${source.name}.`);
  // A business that was deleted during the copy is on no server.
  if (
    !(await hasBusiness(source.connection, businessId)) &&
    (await hasBusiness(target.connection, businessId))
  )
    throw new Error(`The business is not on ${source.name}: its rows on ${target.name} are not deleted.`);
}

/** Without triggers: nothing happens to the business, so there is no change, event or purge. */
async function deleteRows({ businessId, target }: Move, tables: readonly BusinessTable[]): Promise<void> {
  const { connection } = target;
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
