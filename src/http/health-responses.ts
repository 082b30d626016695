/** Liveness and readiness checks for load balancers and orchestrators. */
import type { Db } from '../db/handles.ts';
import { listPendingMigrations } from '../db/migrations/apply-and-list-migrations.ts';
import { type HttpResponse, jsonResponse } from '../http-message.ts';
import type { WorkerCounts } from '../ports/primary-process-client.ts';

export interface HealthResponses {
  live(): HttpResponse;
  ready(): Promise<HttpResponse>;
}

interface DatabaseProbe {
  database: 'ok' | 'unreachable';
  migrations: 'ok' | 'pending' | 'unknown';
}

interface HealthOptions {
  /** Workers of the gateway, if there are several. */
  workers?: (() => WorkerCounts) | undefined;
  /** Whether the database runs in this process, one statement at a time: a probe waits for the statements before it. */
  isEmbedded?: boolean;
  /** Response time after which the database counts as unreachable. Default: 2,000 ms, or 10,000 ms if it is embedded. */
  timeoutMs?: number;
  /** Age up to which callers share the result of a probe. Default: 1,000 ms. */
  maxAgeMs?: number;
}

const unreachable: DatabaseProbe = { database: 'unreachable', migrations: 'unknown' };

export function createHealthResponses(
  db: Db,
  isStopping: () => boolean,
  {
    workers,
    isEmbedded = false,
    timeoutMs = isEmbedded ? 10_000 : 2_000,
    maxAgeMs = 1_000,
  }: HealthOptions = {},
): HealthResponses {
  const probeDatabase = createSharedProbe(db, timeoutMs, maxAgeMs);
  return {
    live: () => jsonResponse(200, { status: 'ok' }),
    async ready() {
      const { database, migrations } = await probeDatabase();
      const ready = database === 'ok' && migrations === 'ok' && !isStopping();
      return jsonResponse(ready ? 200 : 503, {
        status: ready ? 'ok' : 'unavailable',
        database,
        migrations,
        stopping: isStopping(),
        ...(workers ? { workers: workers() } : {}),
      });
    },
  };
}

/**
 * All callers within `maxAgeMs` share one probe, so that a flood of checks costs one query per second. There is never a second probe before
 * the first has ended: while the database hangs, each would occupy a connection.
 */
function createSharedProbe(db: Db, timeoutMs: number, maxAgeMs: number): () => Promise<DatabaseProbe> {
  let current: Promise<DatabaseProbe> | undefined;
  let isRunning = false;
  let expiresAt = 0;
  return () => {
    if (!current || (!isRunning && performance.now() >= expiresAt)) {
      isRunning = true;
      expiresAt = performance.now() + maxAgeMs;
      const probe = probeDatabase(db).finally(() => {
        isRunning = false;
      });
      current = withTimeout(probe, timeoutMs);
    }
    return current;
  };
}

function withTimeout(probe: Promise<DatabaseProbe>, ms: number): Promise<DatabaseProbe> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(unreachable), ms);
    void probe.then((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}

async function probeDatabase(db: Db): Promise<DatabaseProbe> {
  try {
    await db.ping();
  } catch {
    return unreachable;
  }
  // Uses the pool that has just answered the ping; a separate migration connection might fail.
  const migrations = await listPendingMigrations(db).then(
    (pending) => (pending.length === 0 ? 'ok' : 'pending'),
    () => 'unknown' as const,
  );
  return { database: 'ok', migrations };
}
