/** Liveness and readiness checks for load balancers and orchestrators. */

import type { Db } from '../db/handles.ts';
import { listPendingMigrations } from '../db/migrations/migrate.ts';
import { type HttpResponse, jsonResponse } from '../http-message.ts';

export interface HealthChecks {
  live(): HttpResponse;
  ready(): Promise<HttpResponse>;
}

export function createHealthChecks(db: Db, isStopping: () => boolean): HealthChecks {
  return {
    live: () => jsonResponse(200, { status: 'ok' }),
    async ready() {
      const database = await db.ping().then(
        () => 'ok',
        () => 'unreachable',
      );
      // Uses the pool that has just answered the ping; a separate migration connection might fail.
      const migrations =
        database === 'ok'
          ? await listPendingMigrations(db).then(
              (pending) => (pending.length === 0 ? 'ok' : 'pending'),
              () => 'unknown',
            )
          : 'unknown';
      const ready = database === 'ok' && migrations === 'ok' && !isStopping();
      return jsonResponse(ready ? 200 : 503, {
        status: ready ? 'ok' : 'unavailable',
        database,
        migrations,
        stopping: isStopping(),
      });
    },
  };
}
