/** Connections of their own for migrations, which one process makes at a time. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

// Any number will do, as long as nothing else in the database takes the same advisory lock.
const migrationLock = 4_478_331;
/** Whoever wants a table after a migration that waits for it waits too: a moment, no longer. */
const migrationLockMs = 3_000;

export async function withMigrationConnection<T>(
  url: string,
  run: (adapter: PrismaPg) => Promise<T>,
): Promise<T> {
  // Migrations may take long, and the engine's own lock lives as long as its connection: no pool is shared.
  const config = { connectionString: url, application_name: 'duet migrate', statement_timeout: 0 };
  const guard = new pg.Client(config);
  guard.on('error', () => {});
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const pool = new pg.Pool({ ...config, lock_timeout: migrationLockMs });
    try {
      return await run(new ScriptRunner(pool));
    } finally {
      await pool.end();
    }
  } finally {
    await guard.end();
  }
}

/** Prisma's adapter cuts scripts at every semicolon, also inside function bodies; PostgreSQL knows better. */
class ScriptRunner extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const execute = adapter.executeRaw.bind(adapter);
    adapter.executeScript = async (sql) => {
      await execute({ sql, args: [], argTypes: [] });
    };
    return adapter;
  }
}
