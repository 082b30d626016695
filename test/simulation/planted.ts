/** Faults that were planted: each is built into a copy of its own, and a walk there must find it. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../../src/lib/package-root.ts';
import { CopiedTree } from '../support/copied-tree.ts';
import type { Outcome, Task } from './lane.ts';

const patches = join(packageRoot, 'test', 'simulation', 'planted');

export interface Search {
  seed: number;
  /** What each walk may take. */
  steps: number;
  /** Parts of the names of those to look for, with commas. */
  only?: string | undefined;
  /** How many walks go on at the same time. */
  lanes: number;
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
export async function findPlanted({ seed, steps, only = '', lanes, hints }: Search): Promise<boolean> {
  const started = performance.now();
  const tree = new CopiedTree();
  try {
    const names = readdirSync(patches)
      .filter((name) => name.endsWith('.patch') && only.split(',').some((part) => name.includes(part)))
      .sort();
    const waiting = plantAll(tree, names);
    let [found, processor, longest] = [0, 0, 0];
    const search = async (ask: Ask) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const fault = await next;
        const seeds = hints && fault.hint !== undefined ? [fault.hint, seed] : [seed];
        const outcome = await walkWith(ask, fault.folder, seeds, steps);
        processor += outcome.seconds;
        if (outcome.said !== undefined) [found, longest] = [found + 1, Math.max(longest, outcome.step)];
        console.log(lineOf(outcome.said ? 'found ' : 'missed', outcome, fault.name));
      }
    };
    await Promise.all(Array.from({ length: lanes }, () => withLane(tree, search)));
    const sound = await isSound(tree, seed, longest);
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
    const folder = await built(tree, name);
    return { name, folder, ...(hint === undefined ? {} : { hint: Number(hint) }) };
  } finally {
    apply('--reverse');
  }
}

/** Libraries stay where they are: a lane loads them once for all copies. */
async function built(tree: CopiedTree, name: string, program = 'copy'): Promise<string> {
  const folder = join(tree.root, 'built', name);
  const input = { [program]: join(tree.root, 'test', 'simulation', `${program}.ts`) };
  const external = /^(?!@oxc-project\/)[^./\0]/;
  const bundled = await rolldown({ input, platform: 'node', external, logLevel: 'warn' });
  await bundled.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundled.close();
  return folder;
}

type Ask = (task: Task) => Promise<Outcome>;

async function withLane<Result>(tree: CopiedTree, use: (ask: Ask) => Promise<Result>): Promise<Result> {
  const child: ChildProcess = fork(join(await built(tree, 'lane', 'lane'), 'lane.js'), {
    ...{ cwd: tree.root, execArgv: [] },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A lane ended with ${code}.`);
  });
  const ask: Ask = async (task) => {
    child.send(task);
    const [outcome] = await Promise.race([once(child, 'message'), ended]);
    return outcome as Outcome;
  };
  try {
    return await use(ask);
  } finally {
    ended.catch(() => {});
    child.kill();
  }
}

/** Until a seed finds something. */
async function walkWith(ask: Ask, folder: string, seeds: readonly number[], steps: number): Promise<Outcome> {
  let all: Outcome = { step: 0, seconds: 0 };
  for (const seed of seeds) {
    if (all.said !== undefined) break;
    const outcome = await ask({ folder, seed, steps });
    all = { ...outcome, seconds: all.seconds + outcome.seconds };
  }
  return all;
}

/** A walk that finds something in the tree as it is would find it whatever was planted. */
async function isSound(tree: CopiedTree, seed: number, steps: number): Promise<boolean> {
  const folder = await built(tree, 'nothing');
  const outcome = await withLane(tree, (ask) => ask({ folder, seed, steps }));
  console.log(lineOf(outcome.said ? 'unsound' : 'nothing', outcome, 'without any of them'));
  return outcome.said === undefined;
}

const lineOf = (what: string, { said, step, seconds }: Outcome, name: string) =>
  `${what} ${seconds.toFixed(0).padStart(4)} s  ${name}, step ${step}  ${said?.slice(0, 100) ?? ''}`;
