/** Requirements of a move, checked on both servers before anything is changed. Each error names the remedy. */
import { listAppliedMigrations } from '../../db/migrations/apply-and-list-migrations.ts';
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type BusinessTable, buildBusinessCondition, quoteName } from './business-tables.ts';
import type { Move, MoveServer } from './open-move.ts';

/** Row filters of publications. */
const leastPostgresVersion = 150_000;

interface ServerFacts {
  version: number;
  walLevel: string;
  mayReplicate: boolean;
  maySubscribe: boolean;
  maySkipTriggers: boolean;
}

async function readServerFacts({ connection }: MoveServer): Promise<ServerFacts> {
  const [version] = await connection.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  if ((version?.version ?? 0) < leastPostgresVersion)
    throw new OperatorError('A move needs PostgreSQL 15 or later on both servers.');
  const [facts] = await connection.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('wal_level') AS "walLevel",
       r.rolsuper OR r.rolreplication AS "mayReplicate",
       r.rolsuper OR EXISTS (SELECT FROM pg_roles g WHERE g.rolname = 'pg_create_subscription' AND pg_has_role(g.oid, 'USAGE'))
         AS "maySubscribe",
       has_parameter_privilege('session_replication_role', 'SET') AS "maySkipTriggers"
     FROM pg_roles r WHERE r.rolname = current_user`,
  );
  if (!facts) throw new Error('The current role is in pg_roles.');
  return facts;
}

export async function checkServers({ source, target }: Move): Promise<void> {
  const [from, to] = await Promise.all([readServerFacts(source), readServerFacts(target)]);
  const [fromMigrations, toMigrations] = await Promise.all(
    [source, target].map(({ connection }) => listAppliedMigrations((text) => connection.query(text))),
  );
  const rules: [boolean, string][] = [
    [from.walLevel === 'logical', `Set wal_level = logical on ${source.name}, and restart its PostgreSQL.`],
    [from.mayReplicate, `The role of ${source.name} needs the attribute REPLICATION.`],
    [to.maySubscribe, `The role of ${target.name} must be a member of pg_create_subscription.`],
    ...[
      { name: source.name, facts: from },
      { name: target.name, facts: to },
    ].map(({ name, facts }): [boolean, string] => [
      facts.maySkipTriggers,
      `The role of ${name} must be allowed to set session_replication_role.`,
    ]),
    [
      fromMigrations?.join() === toMigrations?.join(),
      `${source.name} and ${target.name} have different migrations. Run: duet migrate`,
    ],
  ];
  const errors = rules.filter(([isMet]) => !isMet).map(([, error]) => error);
  if (errors.length > 0) throw new OperatorError(errors.join('\n'));
}

export async function hasBusiness(connection: MaintenanceConnection, businessId: string): Promise<boolean> {
  return (await connection.query('SELECT FROM businesses WHERE id = $1', [businessId])).length > 0;
}

/** A copy must not be mixed with rows that are there already. */
export async function assertNoRows(
  { businessId, target }: Move,
  tables: readonly BusinessTable[],
): Promise<void> {
  for (const table of tables) {
    const rows = await target.connection.query(
      `SELECT FROM ${quoteName(table.name)} WHERE ${buildBusinessCondition(table, businessId)} LIMIT 1`,
    );
    if (rows.length > 0)
      throw new OperatorError(`${target.name} has rows of the business already, in ${table.name}.`);
  }
}
