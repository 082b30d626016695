/** History of the primary's WAL positions by time, from which the lag of a replica is derived. */
import type { WalPosition } from './lsn.ts';

interface LsnHistory {
  /** Records that the primary reached this position at time `at` (ms) or later. */
  record(at: number, primary: WalPosition): void;
  /** Latest time up to which a server at this position has every commit; undefined if unknown or on another timeline. */
  completeUntil(server: WalPosition): number | undefined;
}

/** Holds the last `count` positions of the primary. */
export function createLsnHistory(count: number): LsnHistory {
  let timeline: number | undefined;
  const positions: { at: number; position: bigint }[] = [];
  return {
    record(at, primary) {
      // Commits of the previous timeline may be lost on the new one.
      if (primary.timeline !== timeline) positions.length = 0;
      timeline = primary.timeline;
      positions.push({ at, position: primary.position });
      if (positions.length > count) positions.shift();
    },
    completeUntil(server) {
      if (server.timeline !== timeline) return undefined;
      return positions.findLast(({ position }) => position <= server.position)?.at;
    },
  };
}
