/** CPU profiles of a gateway under load. */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './servers.ts';

/** Node flags of a gateway that records profiles into the file `PROFILE`: SIGUSR2 starts a profile, the next one ends it. */
const profiler = `data:text/javascript,${encodeURIComponent(`
import { Session } from 'node:inspector/promises';
import { renameSync, writeFileSync } from 'node:fs';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
let isOn = false;
process.on('SIGUSR2', async () => {
  isOn = !isOn;
  if (isOn) return session.post('Profiler.start');
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(process.env.PROFILE + '.draft', JSON.stringify(profile));
  renameSync(process.env.PROFILE + '.draft', process.env.PROFILE);
});`)}`;

/** The compiled files instead of the bundle, so that each function has the file of its module. */
export const profiledProgram = [
  '--import',
  profiler,
  '--max-semi-space-size=64',
  '--v8-pool-size=1',
  'dist/src/main.js',
];

export interface Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
}

/** Profile of the time in which `work` runs. `file` is the value of `PROFILE` of the server. */
export async function recordProfile(
  server: Running,
  file: string,
  work: () => Promise<unknown>,
): Promise<Profile> {
  server.signal('SIGUSR2');
  await work();
  server.signal('SIGUSR2');
  while (!existsSync(file)) await sleep(100);
  const profile = JSON.parse(await readFile(file, 'utf8')) as Profile;
  await rm(file);
  return profile;
}

/**
 * Calls `visit` with the call stack of each sample, callee first, except for idle time. Samples are counted without their duration, which
 * includes time in which the process was not scheduled.
 */
export function forEachStack(
  { nodes, samples }: Profile,
  visit: (stack: readonly Profile['nodes'][number][]) => void,
): void {
  const stacks = new Map<number, Profile['nodes']>();
  // Callers precede their callees in `nodes`.
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) {
    const stack = stacks.get(node.id) ?? [node];
    for (const child of node.children ?? []) {
      const childNode = byId.get(child);
      if (childNode) stacks.set(child, [childNode, ...stack]);
    }
    stacks.set(node.id, stack);
  }
  for (const id of samples) {
    const stack = stacks.get(id) ?? [];
    if (stack[0]?.callFrame.functionName !== '(idle)') visit(stack);
  }
}
