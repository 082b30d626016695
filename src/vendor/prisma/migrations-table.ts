/**
 * Records of Prisma Migrate in the table `_prisma_migrations`: reads them, and makes a migration and its record one transaction.
 *
 * The schema engine inserts a row before a script and completes it afterwards. After a crash in between, the row
 * does not show whether its script was committed. Here the script completes the row itself, so that an incomplete row always belongs to
 * a script that was rolled back.
 */
import { createHash } from 'node:crypto';

/**
 * Held by a script until its transaction ends. A backend outlives its client: after `kill -9` it may still run the script. Arbitrary
 * number; no other advisory lock of the application uses it.
 */
const scriptLock = 4_478_333;

/** Marks a script that commits in between and can be run again after an interruption. It cannot share a transaction. */
const resumable = /^-- resumable:/m;

type RunSql = <Row>(sql: string) => Promise<Row[]>;

const checksumOf = (script: string) => createHash('sha256').update(script).digest('hex');

async function hasMigrationsTable(runSql: RunSql): Promise<boolean> {
  const [table] = await runSql<{ exists: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as exists`,
  );
  return table?.exists ?? false;
}

/** Migrations that the database has applied, by name. `isEdited` compares a script with the one that was applied. */
export async function readAppliedMigrations(
  runSql: RunSql,
): Promise<Map<string, { isEdited(script: string): boolean }>> {
  if (!(await hasMigrationsTable(runSql))) return new Map();
  const rows = await runSql<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null`,
  );
  return new Map(
    rows.map(({ name, checksum }) => [name, { isEdited: (script) => checksumOf(script) !== checksum }]),
  );
}

/** The script with the statements that lock it and complete its row; unchanged unless it is a migration that the engine has begun. */
export async function toSelfRecordingMigrationScript(script: string, runSql: RunSql): Promise<string> {
  if (resumable.test(script)) return script;
  if (!(await hasMigrationsTable(runSql))) return script;
  const [row] = await runSql<{ id: string }>(
    `select id from _prisma_migrations
     where checksum = '${checksumOf(script)}' and finished_at is null and rolled_back_at is null
     order by started_at desc limit 1`,
  );
  if (!row) return script;
  return `select pg_advisory_xact_lock(${scriptLock});
${script}
;
do $record$
begin
  update _prisma_migrations set finished_at = now(), applied_steps_count = 1
  where id = '${row.id}' and finished_at is null and rolled_back_at is null;
  if not found then
    raise exception 'Another process has taken over this migration.';
  end if;
end
$record$;`;
}

/**
 * Marks interrupted attempts as rolled back, which their scripts were, so that the engine applies them again. Waits for a backend that
 * still runs such a script. Must be called by the process that holds the migration lock.
 */
export async function markInterruptedMigrationsRolledBack(db: {
  sql: RunSql;
  /** Runs several statements in one transaction: the lock is held until the update is committed. */
  script(text: string): Promise<unknown>;
}): Promise<void> {
  if (!(await hasMigrationsTable(db.sql))) return;
  await db.script(
    `set local statement_timeout = 0;
     select pg_advisory_xact_lock(${scriptLock});
     update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null`,
  );
}
