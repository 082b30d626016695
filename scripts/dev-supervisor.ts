/** Supervisor of `npm run dev`: bundles the sources on every change and hands over to a standby process that has loaded the libraries. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-info.ts';
import type { Program } from './dev-bundle.ts';
import { preloadedLibraries } from './dev-libraries.ts';
import { watchFolders } from './dev-watch.ts';

const folder = join(packageRoot, 'dist', 'dev');
/** Debounce of changes: editors write a file in several steps, and several files at once. */
const debounceMs = 50;
/** Delay before a standby process is started, so that requests which waited for the gateway are served first. */
const standbyDelayMs = 2_000;

type Start = () => ChildProcess;

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || hasExited(child)) return;
  // SIGINT, as from a keyboard, skips the period in which clients reconnect elsewhere.
  child.kill('SIGINT');
  await once(child, 'exit');
}

async function build(): Promise<Program> {
  const { bundleSources } = await import('./dev-bundle.ts');
  return bundleSources(folder);
}

/** `builtGateway` is a process that runs the current build; without it, the sources are bundled and started at once. */
export function supervise(sources: string, start: Start, builtGateway: ChildProcess | undefined): void {
  let running = builtGateway;
  let standby: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let currentTask: Promise<void> | undefined;

  /** Replaces the task that is scheduled. Changes during a running task result in one task after it. */
  function schedule(task: () => Promise<unknown>, ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (currentTask) return schedule(task, debounceMs);
      timer = undefined;
      run(task);
    }, ms);
  }

  function run(task: () => Promise<unknown>): void {
    currentTask = task().then(
      () => {
        currentTask = undefined;
        if (!standby && !timer) schedule(ensureStandby, standbyDelayMs);
      },
      // A failed bundle is printed, and the running gateway continues.
      (error) => {
        currentTask = undefined;
        console.error(error instanceof Error ? error.message : error);
      },
    );
  }

  /** Process that has loaded the libraries and waits for the sources. */
  async function ensureStandby(): Promise<ChildProcess> {
    if (standby && !hasExited(standby)) return standby;
    standby = start();
    standby.send(preloadedLibraries(folder));
    return standby;
  }

  async function restart(): Promise<void> {
    await ensureStandby();
    const program = await build();
    if (program.librariesChanged) await stop(standby);
    const next = await ensureStandby();
    standby = undefined;
    next.send(program.modules);
    await stop(running);
    running = next;
    // The process has exited if its modules failed to load.
    if (next.connected) next.send([program.main]);
    await program.deleteOtherFiles();
  }

  if (!builtGateway) run(restart);
  else schedule(async () => (await build()) && ensureStandby(), standbyDelayMs);
  watchFolders(sources, () => schedule(restart, debounceMs));
  // Not `once`: rolldown ends the process when no other listener is left.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, async () => {
      clearTimeout(timer);
      await currentTask;
      await Promise.all([stop(standby), stop(running)]);
      process.exit(0);
    });
}
