/** Processes that walk, and what they are built of. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { WalkOutcome, WalkTask } from './walk-worker.ts';

export type RunTask = (task: WalkTask) => Promise<WalkOutcome>;

/** Builds a program of the simulation in the tree at `root`. Libraries stay where they are: a lane loads them once for all copies. */
export async function buildProgram(root: string, folder: string, program: 'copy' | 'lane'): Promise<string> {
  const input = { [program]: join(root, 'test', 'simulation', `${program}.ts`) };
  const external = /^(?!@oxc-project\/)[^./\0]/;
  // At its true cost a password takes as long as several steps.
  const alias = { './hashing-cost.ts': join(root, 'test', 'support', 'hashing-cost.ts') };
  const bundled = await rolldown({ input, platform: 'node', external, resolve: { alias }, logLevel: 'warn' });
  await bundled.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundled.close();
  return folder;
}

/** Uses a lane that was built into `folder`, and ends it. */
export async function withWorker<Result>(
  root: string,
  folder: string,
  use: (ask: RunTask) => Promise<Result>,
): Promise<Result> {
  const child: ChildProcess = fork(join(folder, 'lane.js'), {
    // As the server is started.
    ...{ cwd: root, execArgv: ['--max-semi-space-size=64'] },
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`A lane ended with ${code}.`);
  });
  const ask: RunTask = async (task) => {
    child.send(task);
    const [outcome] = await Promise.race([once(child, 'message'), ended]);
    return outcome as WalkOutcome;
  };
  try {
    return await use(ask);
  } finally {
    ended.catch(() => {});
    child.kill();
    // It must not see its database go.
    await exit;
  }
}
