/** Dedicated connections for migrations, guarded by an advisory lock, so that one process migrates at a time. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { toSelfRecordingMigrationScript } from '../../vendor/prisma/migrations-table.ts';

// Arbitrary number; no other advisory lock of the application uses it.
const migrationLock = 4_478_331;
/** Short, because all later queries of a table wait behind a migration that waits for its lock. */
const migrationLockMs = 3_000;

export async function withMigrationConnection<T>(
  url: string,
  run: (adapter: PrismaPg) => Promise<T>,
): Promise<T> {
  // Not the shared pool: migrations may take long, and the engine's own lock is bound to its connection.
  const config = { connectionString: url, application_name: 'duet migrate', statement_timeout: 0 };
  const lockClient = new pg.Client(config);
  lockClient.on('error', () => {});
  await lockClient.connect();
  try {
    await lockClient.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const pool = new pg.Pool({ ...config, lock_timeout: migrationLockMs, onConnect: endWithClient });
    try {
      return await run(new ScriptRunner(pool));
    } finally {
      await pool.end();
    }
  } finally {
    await lockClient.end();
  }
}

/**
 * Makes the server end a running script within a second when its client is gone: after `kill -9` it would otherwise hold its locks, and
 * stop the next migration, until the script ends. Servers on systems other than Linux, macOS and illumos reject the setting.
 */
async function endWithClient(client: pg.ClientBase): Promise<void> {
  await client.query('SET client_connection_check_interval = 1000').catch(() => {});
}

/** Sends a script as one query, with its record. Prisma's adapter splits it at every semicolon, even inside function bodies. */
class ScriptRunner extends PrismaPg {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    const execute = adapter.executeRaw.bind(adapter);
    adapter.executeScript = async (script) => {
      const sql = await toSelfRecordingMigrationScript(
        script,
        async (text) => (await this.#pool.query(text)).rows,
      );
      await execute({ sql, args: [], argTypes: [] });
    };
    return adapter;
  }
}
