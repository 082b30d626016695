/** Walks in many worlds, some at the same time, until one of them finds something. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { Outcome } from './lane.ts';
import { type Ask, built, withLane } from './lanes.ts';
import type { Place } from './worlds.ts';

export interface Walked extends Outcome {
  place: Place;
}

export interface FarOptions {
  lanes: number;
  booksEvery: number;
  /** No more steps after this moment, in milliseconds. */
  until?: number | undefined;
  /** Told of each world that was walked. */
  progress(walked: Walked): void;
}

/** What was walked, in the order of the worlds. Once something is found, no further world is begun. */
export async function walkFar(
  places: readonly Place[],
  { lanes, booksEvery, until, progress }: FarOptions,
): Promise<Walked[]> {
  const cache = join(packageRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'duet-simulation-'));
  const walked = new Map<Place, Walked>();
  const waiting = [...places];
  let isOver = false;
  const work = async (ask: Ask) => {
    for (let place = waiting.shift(); place && !isOver; place = waiting.shift()) {
      const seconds = until === undefined ? undefined : (until - performance.now()) / 1000;
      if (seconds !== undefined && seconds <= 0) return;
      const outcome = { place, ...(await ask({ folder, ...place, booksEvery, seconds })) };
      walked.set(place, outcome);
      isOver ||= outcome.said !== undefined;
      progress(outcome);
    }
  };
  try {
    for (const program of ['lane', 'copy'] as const) await built(packageRoot, folder, program);
    const some = Math.min(lanes, places.length);
    await Promise.all(Array.from({ length: some }, () => withLane(packageRoot, folder, work)));
    return places.flatMap((place) => walked.get(place) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
