/** Builds the programs of the simulation and runs worker processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { WalkOutcome, WalkTask } from './walk-worker.ts';

export type RunTask = (task: WalkTask) => Promise<WalkOutcome>;

/**
 * Bundles a program of the simulation from the source tree at `root`. Libraries stay external, so that a worker loads them once for all
 * bundles.
 */
export async function buildProgram(
  root: string,
  folder: string,
  program: 'bundle-entry' | 'walk-worker',
): Promise<string> {
  const input = { [program]: join(root, 'test', 'simulation', `${program}.ts`) };
  const external = /^(?!@oxc-project\/)[^./\0]/;
  // At its production cost, hashing a password takes as long as several steps.
  const alias = {
    './argon2-cost-and-dummy-hash.ts': join(root, 'test', 'support', 'argon2-cost-and-dummy-hash.ts'),
  };
  const bundled = await rolldown({ input, platform: 'node', external, resolve: { alias }, logLevel: 'warn' });
  await bundled.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundled.close();
  return folder;
}

/** Starts the worker that was built into `folder`, passes it to `use`, and stops it. */
export async function withWorker<Result>(
  root: string,
  folder: string,
  use: (runTask: RunTask) => Promise<Result>,
): Promise<Result> {
  const child: ChildProcess = fork(join(folder, 'walk-worker.js'), {
    // Same flag as the gateway.
    ...{ cwd: root, execArgv: ['--max-semi-space-size=64'] },
  });
  const exit = once(child, 'exit');
  const failed = exit.then(([code]) => {
    throw new Error(`A worker exited with code ${code}.`);
  });
  const runTask: RunTask = async (task) => {
    child.send(task);
    const [outcome] = await Promise.race([once(child, 'message'), failed]);
    return outcome as WalkOutcome;
  };
  try {
    return await use(runTask);
  } finally {
    failed.catch(() => {});
    child.kill();
    // The caller may then remove the database.
    await exit;
  }
}
