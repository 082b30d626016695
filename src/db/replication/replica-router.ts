/**
 * Routes reads to replicas whose lag is below the limit. The lag is derived from the replayed WAL position of each replica. A client may
 * pass the position of its last write, to read its own writes.
 */
import type { Db, ReplicaRouter, ReplicaStatus } from '../handles.ts';
import { parseLsn, type WalPosition } from './lsn.ts';
import { createLsnHistory } from './lsn-history.ts';

type Read = Db['shortRead'];

/** Read connection to a replica. */
export interface ReplicaConnection {
  /** Host and port. */
  name: string;
  query: Read;
  close(): Promise<void>;
}

interface ReplicaRouterOptions {
  replicas: readonly ReplicaConnection[];
  /** Read function of the primary, for its WAL position and as fallback when a replica fails. */
  primary: Read;
  maxLagMs: number;
  onError: (error: Error) => void;
  now?: () => number;
}

/** Minimum interval between two polls of positions; polled only while there are reads. */
const pollIntervalMs = 1_000;
/** Position that no replica has reached: forces reads from the primary when the current position is unknown. */
const maxLsn = 'FFFFFFFF/FFFFFFFF';

const timelineColumn = '(pg_control_checkpoint()).timeline_id as timeline';
const primaryPositionSql = `select pg_current_wal_insert_lsn()::text as position, ${timelineColumn}`;
const replicaPositionSql = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as position, ${timelineColumn}`;

interface TrackedReplica extends ReplicaConnection {
  read: Read;
  at: WalPosition | undefined;
  answered: number;
  failed: number;
}

export function createReplicaRouter({
  replicas,
  primary,
  maxLagMs,
  onError,
  now = () => performance.now(),
}: ReplicaRouterOptions): ReplicaRouter {
  const lsnHistory = createLsnHistory(Math.ceil(maxLagMs / pollIntervalMs) + 2);
  const trackedReplicas = replicas.map((connection): TrackedReplica => {
    const tracked: TrackedReplica = {
      ...connection,
      at: undefined,
      answered: 0,
      failed: 0,
      async read<Row>(text: string, params?: readonly unknown[]) {
        try {
          const rows = await connection.query<Row>(text, params);
          tracked.answered += 1;
          return rows;
        } catch {
          // The replica is unavailable, too slow, or cancelled the query because of a replay conflict: read from the primary.
          tracked.at = undefined;
          tracked.failed += 1;
          return primary<Row>(text, params);
        }
      },
    };
    return tracked;
  });
  const operations = { replica: 0, primary: 0 };
  let polledAt = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | undefined;

  async function queryPosition(query: Read, statement: string): Promise<WalPosition | undefined> {
    const [row] = await query<{ position: string | null; timeline: number }>(statement);
    const position = parseLsn(row?.position);
    return row && position !== undefined ? { position, timeline: row.timeline } : undefined;
  }

  async function pollPositions(): Promise<void> {
    const startedAt = now();
    const primaryPosition = await queryPosition(primary, primaryPositionSql).catch(() => undefined);
    if (primaryPosition) lsnHistory.record(startedAt, primaryPosition);
    await Promise.all(
      trackedReplicas.map(async (tracked) => {
        const wasAvailable = tracked.at !== undefined;
        tracked.at = await queryPosition(tracked.query, replicaPositionSql).catch((error: Error) => {
          if (wasAvailable) onError(error);
          return undefined;
        });
      }),
    );
  }

  function pollIfDue(): void {
    if (polling || now() - polledAt < pollIntervalMs) return;
    polledAt = now();
    polling = pollPositions().finally(() => {
      polling = undefined;
    });
  }

  /** Lag in ms; undefined if the position is unknown or too old. */
  function lagOf({ at }: TrackedReplica): number | undefined {
    const completeUntil = at && lsnHistory.completeUntil(at);
    return completeUntil === undefined ? undefined : now() - completeUntil;
  }

  const isFresh = (tracked: TrackedReplica, minPosition: bigint): boolean =>
    tracked.at !== undefined &&
    tracked.at.position >= minPosition &&
    (lagOf(tracked) ?? Number.POSITIVE_INFINITY) <= maxLagMs;

  function statusOf(tracked: TrackedReplica): ReplicaStatus {
    const { name, answered, failed } = tracked;
    const lagMs = lagOf(tracked);
    return {
      ...{ name, answered, failed, inUse: isFresh(tracked, 0n) },
      ...(lagMs === undefined ? {} : { lagSeconds: lagMs / 1000 }),
    };
  }

  return {
    readerAt(position) {
      pollIfDue();
      const minPosition = position === undefined ? 0n : parseLsn(position);
      const replica =
        minPosition === undefined
          ? undefined
          : trackedReplicas.find((tracked) => isFresh(tracked, minPosition));
      operations[replica ? 'replica' : 'primary'] += 1;
      return replica?.read;
    },
    async status() {
      pollIfDue();
      await polling;
      return { servers: trackedReplicas.map(statusOf), operations: { ...operations } };
    },
    async currentLsn() {
      const [row] = await primary<{ position: string }>(primaryPositionSql).catch(() => []);
      return row?.position ?? maxLsn;
    },
    async close() {
      await Promise.all(trackedReplicas.map((tracked) => tracked.close()));
    },
  };
}
