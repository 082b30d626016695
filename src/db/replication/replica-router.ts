/**
 * Servers that follow the primary and answer reads in its place, as long as they are not far behind. Each is known to have everything
 * that was committed up to some moment; who asks may say that they want at least what they have written.
 */

import type { Db, ReplicaRouter, ReplicaStatus } from '../handles.ts';
import { createLsnHistory, parseLsn, type WalPosition } from './lsn.ts';

type Read = Db['shortRead'];

/** A line to a replica. */
export interface ReplicaConnection {
  /** Host and port. */
  name: string;
  query: Read;
  close(): Promise<void>;
}

export interface ReplicaRouterOptions {
  replicas: readonly ReplicaConnection[];
  /** The primary, for what a replica failed to answer and for positions. */
  primary: Read;
  maxLagMs: number;
  onError: (error: Error) => void;
  now?: () => number;
}

/** Positions are asked for while there is traffic, and no more often than this. */
const everyMs = 1_000;
/** No replica has this: what cannot be told is read from the primary. */
const beyondAll = 'FFFFFFFF/FFFFFFFF';

const branch = '(pg_control_checkpoint()).timeline_id as timeline';
const ofPrimary = `select pg_current_wal_insert_lsn()::text as position, ${branch}`;
const ofReplica = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as position, ${branch}`;

interface Known extends ReplicaConnection {
  read: Read;
  at: WalPosition | undefined;
  answered: number;
  failed: number;
}

export function createReplicaRouter({
  replicas: followers,
  primary,
  maxLagMs,
  onError,
  now = () => performance.now(),
}: ReplicaRouterOptions): ReplicaRouter {
  const milestones = createLsnHistory(Math.ceil(maxLagMs / everyMs) + 2);
  const known = followers.map((follower): Known => {
    const one: Known = {
      ...follower,
      at: undefined,
      answered: 0,
      failed: 0,
      async read<Row>(text: string, params?: readonly unknown[]) {
        try {
          const rows = await follower.query<Row>(text, params);
          one.answered += 1;
          return rows;
        } catch {
          // It is gone, too slow, or had to choose between this reader and following: the primary knows.
          one.at = undefined;
          one.failed += 1;
          return primary<Row>(text, params);
        }
      },
    };
    return one;
  });
  const operations = { replica: 0, primary: 0 };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function whereabouts(ask: Read, statement: string): Promise<WalPosition | undefined> {
    const [row] = await ask<{ position: string | null; timeline: number }>(statement);
    const position = parseLsn(row?.position);
    return row && position !== undefined ? { position, timeline: row.timeline } : undefined;
  }

  async function look(): Promise<void> {
    const began = now();
    const here = await whereabouts(primary, ofPrimary).catch(() => undefined);
    if (here) milestones.record(began, here);
    await Promise.all(
      known.map(async (one) => {
        const wasThere = one.at !== undefined;
        one.at = await whereabouts(one.query, ofReplica).catch((error: Error) => {
          if (wasThere) onError(error);
          return undefined;
        });
      }),
    );
  }

  function lookAgain(): void {
    if (looking || now() - lookedAt < everyMs) return;
    lookedAt = now();
    looking = look().finally(() => {
      looking = undefined;
    });
  }

  /** Undefined when that cannot be told. */
  function lagOf({ at }: Known): number | undefined {
    const until = at && milestones.completeUntil(at);
    return until === undefined ? undefined : now() - until;
  }

  const isFresh = (one: Known, wanted: bigint): boolean =>
    one.at !== undefined && one.at.position >= wanted && (lagOf(one) ?? Number.POSITIVE_INFINITY) <= maxLagMs;

  function useOf(one: Known): ReplicaStatus {
    const { name, answered, failed } = one;
    const lagMs = lagOf(one);
    return {
      ...{ name, answered, failed, inUse: isFresh(one, 0n) },
      ...(lagMs === undefined ? {} : { lagSeconds: lagMs / 1000 }),
    };
  }

  return {
    readerAt(position) {
      lookAgain();
      const wanted = position === undefined ? 0n : parseLsn(position);
      const found = wanted === undefined ? undefined : known.find((one) => isFresh(one, wanted));
      operations[found ? 'replica' : 'primary'] += 1;
      return found?.read;
    },
    async status() {
      lookAgain();
      await looking;
      return { servers: known.map(useOf), operations: { ...operations } };
    },
    async currentLsn() {
      const [row] = await primary<{ position: string }>(ofPrimary).catch(() => []);
      return row?.position ?? beyondAll;
    },
    async close() {
      await Promise.all(known.map((one) => one.close()));
    },
  };
}
