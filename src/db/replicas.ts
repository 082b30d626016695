/**
 * Servers that follow the primary and answer reads in its place, as long as they are not far behind. Each is known to have everything
 * that was committed up to some moment; who asks may say that they want at least what they have written.
 */
import { createMilestones, parsePosition, type Whereabouts } from './positions.ts';
import type { Db, Replicas } from './sql.ts';

type Read = Db['short'];

/** A line to a replica. */
export interface Follower {
  ask: Read;
  close(): Promise<void>;
}

export interface ReplicasOptions {
  followers: readonly Follower[];
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

interface Known extends Follower {
  read: Read;
  at: Whereabouts | undefined;
}

export function createReplicas({
  followers,
  primary,
  maxLagMs,
  onError,
  now = () => performance.now(),
}: ReplicasOptions): Replicas {
  const milestones = createMilestones(Math.ceil(maxLagMs / everyMs) + 2);
  const known = followers.map((follower): Known => {
    const one: Known = {
      ...follower,
      at: undefined,
      async read(text, params) {
        try {
          return await follower.ask(text, params);
        } catch {
          // It is gone, too slow, or had to choose between this reader and following: the primary knows.
          one.at = undefined;
          return primary(text, params);
        }
      },
    };
    return one;
  });
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = false;

  async function whereabouts(ask: Read, statement: string): Promise<Whereabouts | undefined> {
    const [row] = await ask<{ position: string | null; timeline: number }>(statement);
    const position = parsePosition(row?.position);
    return row && position !== undefined ? { position, timeline: row.timeline } : undefined;
  }

  async function look(): Promise<void> {
    const began = now();
    const here = await whereabouts(primary, ofPrimary).catch(() => undefined);
    if (here) milestones.passed(began, here);
    await Promise.all(
      known.map(async (one) => {
        const wasThere = one.at !== undefined;
        one.at = await whereabouts(one.ask, ofReplica).catch((error: Error) => {
          if (wasThere) onError(error);
          return undefined;
        });
      }),
    );
  }

  function lookAgain(): void {
    if (looking || now() - lookedAt < everyMs) return;
    looking = true;
    lookedAt = now();
    void look().finally(() => {
      looking = false;
    });
  }

  function isFresh({ at }: Known, wanted: bigint): boolean {
    if (!at || at.position < wanted) return false;
    const until = milestones.hasAllUntil(at);
    return until !== undefined && now() - until <= maxLagMs;
  }

  return {
    reader(position) {
      lookAgain();
      const wanted = position === undefined ? 0n : parsePosition(position);
      return wanted === undefined ? undefined : known.find((one) => isFresh(one, wanted))?.read;
    },
    async position() {
      const [row] = await primary<{ position: string }>(ofPrimary).catch(() => []);
      return row?.position ?? beyondAll;
    },
    async close() {
      await Promise.all(known.map((one) => one.close()));
    },
  };
}
