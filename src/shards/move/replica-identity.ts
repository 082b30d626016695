/**
 * Replica identities of the source during a move: PostgreSQL filters changed rows by the business only if the replica identity contains
 * its column. Tables with generated columns cannot have the identity FULL, and get a unique index instead.
 */
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import { type BusinessTable, quoteName, quoteNames } from './business-tables.ts';
import { changeTable } from './change-table-with-short-lock.ts';
import { defaultLockTimeoutSql, moveNamePrefix } from './open-move.ts';

/** `d`: primary key. `f`: all columns. `i`: an index. */
type ReplicaIdentity = 'd' | 'f' | 'i';

const indexNameOf = (table: string): string => `${table}_move_key`;

function chooseIdentity({ businessColumn, primaryKey, hasGeneratedColumns }: BusinessTable): ReplicaIdentity {
  if (primaryKey.includes(businessColumn)) return 'd';
  return hasGeneratedColumns ? 'i' : 'f';
}

async function readIdentity(
  connection: MaintenanceConnection,
  table: string,
): Promise<ReplicaIdentity | undefined> {
  const [row] = await connection.query<{ identity: ReplicaIdentity }>(
    'SELECT relreplident::text AS identity FROM pg_class WHERE oid = $1::regclass',
    [quoteName(table)],
  );
  return row?.identity;
}

async function createIndex(connection: MaintenanceConnection, table: BusinessTable): Promise<void> {
  const index = indexNameOf(table.name);
  const [existing] = await connection.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [quoteName(index)],
  );
  if (existing?.valid) return;
  // The remainder of an interrupted statement.
  if (existing) await connection.query(`DROP INDEX ${quoteName(index)}`);
  await connection.query('SET lock_timeout = 0');
  const columns = quoteNames([table.businessColumn, ...table.primaryKey]);
  await connection.query(
    `CREATE UNIQUE INDEX CONCURRENTLY ${quoteName(index)} ON ${quoteName(table.name)} (${columns})`,
  );
  await connection.query(defaultLockTimeoutSql);
}

/** Must be done before the publication is created, which rejects writes to a table without such an identity. */
export async function setReplicaIdentities(
  connection: MaintenanceConnection,
  tables: readonly BusinessTable[],
): Promise<void> {
  for (const table of tables) {
    const identity = chooseIdentity(table);
    if (identity === 'd') continue;
    if (identity === 'i') await createIndex(connection, table);
    if ((await readIdentity(connection, table.name)) === identity) continue;
    const value = identity === 'f' ? 'FULL' : `USING INDEX ${quoteName(indexNameOf(table.name))}`;
    await changeTable(connection, `ALTER TABLE ${quoteName(table.name)} REPLICA IDENTITY ${value}`);
  }
}

/** Must be done after the publication was dropped. Another unfinished move of this server still needs the identities. */
export async function resetReplicaIdentities(
  connection: MaintenanceConnection,
  tables: readonly BusinessTable[],
): Promise<void> {
  const others = await connection.query('SELECT FROM pg_publication WHERE starts_with(pubname, $1)', [
    moveNamePrefix,
  ]);
  if (others.length > 0) return;
  for (const table of tables) {
    const identity = chooseIdentity(table);
    if (identity === 'd') continue;
    if ((await readIdentity(connection, table.name)) === identity)
      await changeTable(connection, `ALTER TABLE ${quoteName(table.name)} REPLICA IDENTITY DEFAULT`);
    if (identity === 'i')
      await changeTable(connection, `DROP INDEX IF EXISTS ${quoteName(indexNameOf(table.name))}`);
  }
}
