/** Faults that were planted: each is applied to a copy of the tree, and a walk there must find it. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-root.ts';
import { CopiedTree } from '../support/copied-tree.ts';

const folder = join(packageRoot, 'test', 'simulation', 'planted');

/** Whether all were found. */
export async function findPlanted(seed: number, steps: number, only?: string): Promise<boolean> {
  const patches = readdirSync(folder).filter((name) => name.endsWith('.patch') && name.includes(only ?? ''));
  let missed = 0;
  const tree = new CopiedTree();
  try {
    for (const patch of patches.sort()) {
      const started = performance.now();
      const said = await walkWith(tree, join(folder, patch), seed, steps);
      const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4);
      if (said === undefined) missed += 1;
      console.log(
        `${said === undefined ? 'missed' : 'found '} ${seconds} s  ${patch}  ${said?.slice(0, 100) ?? ''}`,
      );
    }
  } finally {
    tree.remove();
  }
  console.log(`${patches.length - missed} of ${patches.length} found`);
  return missed === 0;
}

/** What the walk said when it found something. */
async function walkWith(
  tree: CopiedTree,
  patch: string,
  seed: number,
  steps: number,
): Promise<string | undefined> {
  const apply = (...args: string[]) => execFileSync('git', ['apply', ...args, patch], { cwd: tree.root });
  apply();
  try {
    const args = ['--seed', String(seed), '--steps', String(steps), '--books', '50', '--keep-long'];
    const { output } = await tree.run('tsx', 'test/simulation/run.ts', ...args);
    return /^seed \d+, (step \d+: .*)$/m.exec(output)?.[1];
  } finally {
    apply('--reverse');
  }
}
