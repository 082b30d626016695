/** Applies each planted bug to a copy of the sources, and checks that a walk finds it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import { CopiedTree } from '../support/copied-tree.ts';
import type { WalkOutcome } from './walk-worker.ts';
import { buildProgram, type RunTask, withWorker } from './worker-processes.ts';

const patches = join(packageRoot, 'test', 'simulation', 'planted');
const folderOf = (tree: CopiedTree, name: string) => join(tree.root, 'built', name);
const auditEvery = 50;

export interface PlantedSearch {
  seed: number;
  /** Number of steps of each walk. */
  steps: number;
  /** Comma-separated parts of patch names; default: all patches. */
  only?: string | undefined;
  /** Number of worker processes. */
  workers: number;
  /** Whether walks first try the seed in the patch (`Seed: N`). */
  hints: boolean;
}

interface PlantedBug {
  name: string;
  folder: string;
  /** Seed in the patch that finds the bug within few steps. */
  hint?: number;
}

/** Whether walks find all bugs, and no violation in the unpatched sources. */
export async function findPlantedBugs({
  seed,
  steps,
  only = '',
  workers,
  hints,
}: PlantedSearch): Promise<boolean> {
  const started = performance.now();
  const tree = new CopiedTree();
  try {
    const names = readdirSync(patches)
      .filter((name) => name.endsWith('.patch') && only.split(',').some((part) => name.includes(part)))
      .sort();
    const bugs = plantAll(tree, names);
    let [foundCount, cpuSeconds, maxSteps] = [0, 0, 0];
    const search = async (runTask: RunTask) => {
      for (let next = bugs.shift(); next; next = bugs.shift()) {
        const bug = await next;
        const seeds = hints && bug.hint !== undefined ? [bug.hint, seed] : [seed];
        const outcome = await walkWith(runTask, bug.folder, seeds, steps);
        cpuSeconds += outcome.seconds;
        if (outcome.message !== undefined)
          [foundCount, maxSteps] = [foundCount + 1, Math.max(maxSteps, outcome.step)];
        console.log(formatOutcome(outcome.message ? 'found ' : 'missed', outcome, bug.name));
      }
    };
    const workerFolder = await buildProgram(tree.root, folderOf(tree, 'worker'), 'walk-worker');
    await Promise.all(Array.from({ length: workers }, () => withWorker(tree.root, workerFolder, search)));
    const isUnpatchedSound = await withWorker(tree.root, workerFolder, (runTask) =>
      isSound(tree, runTask, seed, maxSteps),
    );
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `seed ${seed}: ${foundCount} of ${names.length} found in ${minutes} minutes, ${cpuSeconds.toFixed(0)} s of CPU time`,
    );
    return isUnpatchedSound && foundCount === names.length;
  } finally {
    tree.remove();
  }
}

/** Builds the patched bundles one after the other, because they share one source tree. Walks run meanwhile in those that are ready. */
function plantAll(tree: CopiedTree, names: readonly string[]): Promise<PlantedBug>[] {
  let previous: Promise<unknown> = Promise.resolve();
  return names.map((name) => {
    const planted = previous.then(() => plant(tree, name));
    previous = planted;
    return planted;
  });
}

/** Applies a patch, bundles the sources and reverts the patch. */
async function plant(tree: CopiedTree, name: string): Promise<PlantedBug> {
  const patch = join(patches, name);
  const apply = (...args: string[]) => execFileSync('git', ['apply', ...args, patch], { cwd: tree.root });
  const hint = /^Seed: (\d+)$/m.exec(readFileSync(patch, 'utf8'))?.[1];
  apply();
  try {
    const folder = await buildProgram(tree.root, folderOf(tree, name), 'bundle-entry');
    return { name, folder, ...(hint === undefined ? {} : { hint: Number(hint) }) };
  } finally {
    apply('--reverse');
  }
}

/** Tries the seeds in order until one finds a violation. */
async function walkWith(
  runTask: RunTask,
  folder: string,
  seeds: readonly number[],
  steps: number,
): Promise<WalkOutcome> {
  const [seed = 1, ...others] = seeds;
  const outcome = await runTask({ folder, seed, steps, auditEvery });
  if (outcome.message !== undefined || others.length === 0) return outcome;
  const next = await walkWith(runTask, folder, others, steps);
  return { ...next, seconds: outcome.seconds + next.seconds };
}

/** Checks that a walk of the unpatched sources finds nothing; otherwise the findings above prove nothing. */
async function isSound(tree: CopiedTree, runTask: RunTask, seed: number, steps: number): Promise<boolean> {
  const folder = await buildProgram(tree.root, folderOf(tree, 'unpatched'), 'bundle-entry');
  const outcome = await runTask({ folder, seed, steps, auditEvery });
  console.log(formatOutcome(outcome.message ? 'unsound' : 'nothing', outcome, 'unpatched sources'));
  return outcome.message === undefined;
}

const formatOutcome = (label: string, { message, step, seconds }: WalkOutcome, name: string) =>
  `${label} ${seconds.toFixed(0).padStart(4)} s  ${name}, step ${step}  ${message?.slice(0, 100) ?? ''}`;
