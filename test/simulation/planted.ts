/** Faults that were planted: each is built into a copy of its own, and a walk there must find it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import { CopiedTree } from '../support/copied-tree.ts';
import type { WalkOutcome } from './walk-worker.ts';
import { type RunTask, buildProgram, withWorker } from './worker-processes.ts';

const patches = join(packageRoot, 'test', 'simulation', 'planted');
const folderOf = (tree: CopiedTree, name: string) => join(tree.root, 'built', name);
const booksEvery = 50;

export interface PlantedSearch {
  seed: number;
  /** What each walk may take. */
  steps: number;
  /** Parts of the names of those to look for, with commas. */
  only?: string | undefined;
  /** How many walks go on at the same time. */
  workers: number;
  /** Whether walks begin with the seed that the patch names. */
  hints: boolean;
}

interface Planted {
  name: string;
  folder: string;
  /** A seed that is known to find it soon. */
  hint?: number;
}

/** Whether all were found, and nothing where nothing was planted. */
export async function findPlantedBugs({ seed, steps, only = '', workers: lanes, hints }: PlantedSearch): Promise<boolean> {
  const started = performance.now();
  const tree = new CopiedTree();
  try {
    const names = readdirSync(patches)
      .filter((name) => name.endsWith('.patch') && only.split(',').some((part) => name.includes(part)))
      .sort();
    const waiting = plantAll(tree, names);
    let [found, processor, longest] = [0, 0, 0];
    const search = async (ask: RunTask) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const fault = await next;
        const seeds = hints && fault.hint !== undefined ? [fault.hint, seed] : [seed];
        const outcome = await walkWith(ask, fault.folder, seeds, steps);
        processor += outcome.seconds;
        if (outcome.message !== undefined) [found, longest] = [found + 1, Math.max(longest, outcome.step)];
        console.log(lineOf(outcome.message ? 'found ' : 'missed', outcome, fault.name));
      }
    };
    const lane = await buildProgram(tree.root, folderOf(tree, 'lane'), 'lane');
    await Promise.all(Array.from({ length: lanes }, () => withWorker(tree.root, lane, search)));
    const sound = await withWorker(tree.root, lane, (ask) => isSound(tree, ask, seed, longest));
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `seed ${seed}: ${found} of ${names.length} found in ${minutes} minutes, ${processor.toFixed(0)} s of processor time`,
    );
    return sound && found === names.length;
  } finally {
    tree.remove();
  }
}

/** One after the other, for there is one tree, while others are walked in already. */
function plantAll(tree: CopiedTree, names: readonly string[]): Promise<Planted>[] {
  let last: Promise<unknown> = Promise.resolve();
  return names.map((name) => {
    const planted = last.then(() => plant(tree, name));
    last = planted;
    return planted;
  });
}

/** Builds the tree as it is with this patch. */
async function plant(tree: CopiedTree, name: string): Promise<Planted> {
  const patch = join(patches, name);
  const apply = (...args: string[]) => execFileSync('git', ['apply', ...args, patch], { cwd: tree.root });
  const hint = /^Seed: (\d+)$/m.exec(readFileSync(patch, 'utf8'))?.[1];
  apply();
  try {
    const folder = await buildProgram(tree.root, folderOf(tree, name), 'copy');
    return { name, folder, ...(hint === undefined ? {} : { hint: Number(hint) }) };
  } finally {
    apply('--reverse');
  }
}

/** Until a seed finds something. */
async function walkWith(ask: RunTask, folder: string, seeds: readonly number[], steps: number): Promise<WalkOutcome> {
  const [seed = 1, ...others] = seeds;
  const outcome = await ask({ folder, seed, steps, auditEvery: booksEvery });
  if (outcome.message !== undefined || others.length === 0) return outcome;
  const later = await walkWith(ask, folder, others, steps);
  return { ...later, seconds: outcome.seconds + later.seconds };
}

/** A walk that finds something in the tree as it is would find it whatever was planted. */
async function isSound(tree: CopiedTree, ask: RunTask, seed: number, steps: number): Promise<boolean> {
  const folder = await buildProgram(tree.root, folderOf(tree, 'nothing'), 'copy');
  const outcome = await ask({ folder, seed, steps, auditEvery: booksEvery });
  console.log(lineOf(outcome.message ? 'unsound' : 'nothing', outcome, 'without any of them'));
  return outcome.message === undefined;
}

const lineOf = (what: string, { message: said, step, seconds }: WalkOutcome, name: string) =>
  `${what} ${seconds.toFixed(0).padStart(4)} s  ${name}, step ${step}  ${said?.slice(0, 100) ?? ''}`;
