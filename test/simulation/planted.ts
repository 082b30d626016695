/** Faults that were planted: each is applied to a copy of the tree, and a walk there must find it. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-root.ts';
import { CopiedTree } from '../support/copied-tree.ts';

const folder = join(packageRoot, 'test', 'simulation', 'planted');

export interface Search {
  seed: number;
  /** What each walk may take. */
  steps: number;
  /** Parts of the names of those to look for, with commas. */
  only?: string | undefined;
  /** How many walks go on at the same time. */
  lanes: number;
}

/** Whether all were found, and nothing where nothing was planted. */
export async function findPlanted({ seed, steps, only = '', lanes }: Search): Promise<boolean> {
  const patches = readdirSync(folder)
    .filter((name) => name.endsWith('.patch') && only.split(',').some((part) => name.includes(part)))
    .sort();
  const waiting = [...patches];
  const found: number[] = [];
  const started = performance.now();
  const search = async () => {
    const tree = new CopiedTree();
    try {
      for (let patch = waiting.shift(); patch !== undefined; patch = waiting.shift()) {
        const { said, step, seconds } = await walkIn(tree, seed, steps, join(folder, patch));
        if (step !== undefined) found.push(step);
        console.log(`${said ? 'found ' : 'missed'} ${seconds} s  ${patch}  ${said?.slice(0, 100) ?? ''}`);
      }
    } finally {
      tree.remove();
    }
  };
  await Promise.all(Array.from({ length: lanes }, search));
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`seed ${seed}: ${found.length} of ${patches.length} found in ${minutes} minutes`);
  return (await isSound(seed, Math.max(0, ...found))) && found.length === patches.length;
}

/** A walk that finds something in the tree as it is would find it whatever was planted. */
async function isSound(seed: number, steps: number): Promise<boolean> {
  const tree = new CopiedTree();
  try {
    const { said, seconds } = await walkIn(tree, seed, steps);
    console.log(
      `${said ? 'unsound' : 'nothing'} ${seconds} s  without any of them, ${steps} steps  ${said ?? ''}`,
    );
    return said === undefined;
  } finally {
    tree.remove();
  }
}

interface Walked {
  /** What it said when it found something. */
  said: string | undefined;
  step: number | undefined;
  seconds: string;
}

async function walkIn(tree: CopiedTree, seed: number, steps: number, patch?: string): Promise<Walked> {
  const apply = (...args: string[]) =>
    patch === undefined || execFileSync('git', ['apply', ...args, patch], { cwd: tree.root });
  const started = performance.now();
  apply();
  try {
    const args = ['--seed', String(seed), '--steps', String(steps), '--books', '50', '--keep-long'];
    const { output } = await tree.run('tsx', 'test/simulation/run.ts', ...args);
    const [, said, step] = /^seed \d+, (step (\d+): .*)$/m.exec(output) ?? [];
    if (said === undefined && !output.includes('nothing found')) throw new Error(`${patch}: ${output}`);
    const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4);
    return { said, step: step === undefined ? undefined : Number(step), seconds };
  } finally {
    apply('--reverse');
  }
}
