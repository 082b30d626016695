/** Under `npm run dev`: puts the sources together whenever they change, and lets a process that waits for them take over. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-info.ts';
import type { Program } from './dev-bundle.ts';
import { librariesIn } from './dev-libraries.ts';
import { watchFolders } from './dev-watch.ts';

const folder = join(packageRoot, 'dist', 'dev');
/** Editors write a file in several steps, and several files at once. */
const quietMs = 50;
/** Whoever waited for the gateway is answered before the next one is made ready. */
const calmMs = 2_000;

type Start = () => ChildProcess;

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || hasEnded(child)) return;
  // As from a keyboard: nobody is to be told to connect elsewhere first.
  child.kill('SIGINT');
  await once(child, 'exit');
}

async function build(): Promise<Program> {
  const { bundleSources } = await import('./dev-bundle.ts');
  return bundleSources(folder);
}

export function follow(sources: string, start: Start, first: ChildProcess | undefined): void {
  let running = first;
  let waiting: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> | undefined;

  /** In place of what was to be done later. Changes that come while something is done are all taken together. */
  function later(what: () => Promise<unknown>, ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (busy) return later(what, quietMs);
      timer = undefined;
      now(what);
    }, ms);
  }

  function now(what: () => Promise<unknown>): void {
    busy = what().then(
      () => {
        busy = undefined;
        if (!waiting && !timer) later(spare, calmMs);
      },
      // What cannot be put together is told, and the last that could goes on.
      (error) => {
        busy = undefined;
        console.error(error instanceof Error ? error.message : error);
      },
    );
  }

  /** A process that has loaded the libraries. */
  async function spare(): Promise<ChildProcess> {
    if (waiting && !hasEnded(waiting)) return waiting;
    waiting = start();
    waiting.send(librariesIn(folder));
    return waiting;
  }

  async function restart(): Promise<void> {
    await spare();
    const program = await build();
    if (program.otherLibraries) await stop(waiting);
    const next = await spare();
    waiting = undefined;
    next.send(program.load);
    await stop(running);
    running = next;
    // Not if it could not load what it was told to.
    if (next.connected) next.send([program.begin]);
    await program.clear();
  }

  if (!first) now(restart);
  else later(async () => (await build()) && spare(), calmMs);
  watchFolders(sources, () => later(restart, quietMs));
  // Not once: rolldown ends the process when no other listener is left.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, async () => {
      clearTimeout(timer);
      await busy;
      await Promise.all([stop(waiting), stop(running)]);
      process.exit(0);
    });
}
