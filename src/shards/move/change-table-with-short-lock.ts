/** Changes of tables that are in use: all later statements on a table wait behind one that waits for its lock, so waits are short. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { defaultLockTimeoutSql } from './open-move.ts';

/** Longer than deadlock_timeout (1 s), after which PostgreSQL cancels an autovacuum that holds the lock. */
const lockTimeoutMs = 1_500;
const pauseMs = 500;
const attempts = 60;

const lockNotAvailable = '55P03';

export async function changeTable(connection: MaintenanceConnection, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await connection.query(`SET lock_timeout = ${lockTimeoutMs}`);
      await connection.query(statement);
      await connection.query(defaultLockTimeoutSql);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
      if (attempt === attempts)
        throw new OperatorError(
          `Long transactions hold a table for more than two minutes. Try again later.`,
          { cause: error },
        );
      await sleep(pauseMs);
    }
}
