/** Runs the walks of many worlds in several worker processes, until one finds a violation. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { WorldPlan } from './plan-worlds.ts';
import type { WalkOutcome } from './walk-worker.ts';
import { buildProgram, type RunTask, withWorker } from './worker-processes.ts';

export interface WorldResult extends WalkOutcome {
  world: WorldPlan;
}

export interface ParallelWalkOptions {
  workers: number;
  auditEvery: number;
  /** Time of `performance.now()` after which no step begins, in milliseconds. */
  until?: number | undefined;
  /** Called with the result of each world. */
  progress(result: WorldResult): void;
}

/** Results in the order of the worlds. No further world begins after a violation. */
export async function walkInParallel(
  worlds: readonly WorldPlan[],
  { workers, auditEvery, until, progress }: ParallelWalkOptions,
): Promise<WorldResult[]> {
  const cache = join(packageRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'duet-simulation-'));
  const results = new Map<WorldPlan, WorldResult>();
  const queue = [...worlds];
  let isOver = false;
  const processQueue = async (runTask: RunTask) => {
    for (let world = queue.shift(); world && !isOver; world = queue.shift()) {
      const seconds = until === undefined ? undefined : (until - performance.now()) / 1000;
      if (seconds !== undefined && seconds <= 0) return;
      const result = { world, ...(await runTask({ folder, ...world, auditEvery, seconds })) };
      results.set(world, result);
      isOver ||= result.message !== undefined;
      progress(result);
    }
  };
  try {
    for (const program of ['walk-worker', 'bundle-entry'] as const)
      await buildProgram(packageRoot, folder, program);
    const workerCount = Math.min(workers, worlds.length);
    await Promise.all(
      Array.from({ length: workerCount }, () => withWorker(packageRoot, folder, processQueue)),
    );
    return worlds.flatMap((world) => results.get(world) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
