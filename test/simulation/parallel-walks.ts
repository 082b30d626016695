/** Walks in many worlds, some at the same time, until one of them finds something. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { WalkOutcome } from './walk-worker.ts';
import { type RunTask, buildProgram, withWorker } from './worker-processes.ts';
import type { WorldPlan } from './plan-worlds.ts';

export interface WorldResult extends WalkOutcome {
  world: WorldPlan;
}

export interface ParallelWalkOptions {
  workers: number;
  auditEvery: number;
  /** No more steps after this moment, in milliseconds. */
  until?: number | undefined;
  /** Told of each world that was walked. */
  progress(walked: WorldResult): void;
}

/** What was walked, in the order of the worlds. Once something is found, no further world is begun. */
export async function walkInParallel(
  places: readonly WorldPlan[],
  { workers: lanes, auditEvery: booksEvery, until, progress }: ParallelWalkOptions,
): Promise<WorldResult[]> {
  const cache = join(packageRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'duet-simulation-'));
  const walked = new Map<WorldPlan, WorldResult>();
  const waiting = [...places];
  let isOver = false;
  const work = async (ask: RunTask) => {
    for (let place = waiting.shift(); place && !isOver; place = waiting.shift()) {
      const seconds = until === undefined ? undefined : (until - performance.now()) / 1000;
      if (seconds !== undefined && seconds <= 0) return;
      const outcome = { place, ...(await ask({ folder, ...place, auditEvery: booksEvery, seconds })) };
      walked.set(place, outcome);
      isOver ||= outcome.message !== undefined;
      progress(outcome);
    }
  };
  try {
    for (const program of ['lane', 'copy'] as const) await buildProgram(packageRoot, folder, program);
    const some = Math.min(lanes, places.length);
    await Promise.all(Array.from({ length: some }, () => withWorker(packageRoot, folder, work)));
    return places.flatMap((place) => walked.get(place) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
