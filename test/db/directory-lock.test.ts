/** The lock of a data directory: one holder at a time among processes and containers, and none after a crash. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockDataDirectory } from '../../src/db/embedded/directory-lock.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { testDataDir } from '../support/database.ts';

const program = `
  import { lockDataDirectory } from './src/db/embedded/directory-lock.ts';
  const [directory, waitMs, holdMs] = process.argv.slice(1);
  await lockDataDirectory(directory, Number(waitMs)).then(
    async (release) => {
      console.log('locked');
      if (holdMs) setTimeout(release, Number(holdMs));
      else setInterval(() => {}, 1000);
    },
    (error) => console.log(error.message),
  );`;

const nodeArgs = ['--import', 'tsx', '--input-type=module', '-e', program];
/** A process in its own pid namespace, as in a container: its process ids mean nothing outside. */
const unshareArgs = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath];

interface Candidate {
  child: ChildProcess;
  /** First line of its output: `locked`, or the error. */
  result: Promise<string>;
}

function startCandidate(directory: string, { waitMs = 0, holdMs = 0, inNamespace = false } = {}): Candidate {
  const args = [...nodeArgs, directory, String(waitMs), holdMs ? String(holdMs) : ''];
  const [file, allArgs] = inNamespace ? ['unshare', [...unshareArgs, ...args]] : [process.execPath, args];
  const child = spawn(file, allArgs, { cwd: packageRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const result = once(child.stdout, 'data').then(([chunk]) => String(chunk).trim());
  return { child, result };
}

async function killCandidate({ child }: Candidate): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const inUse = /is in use by process \d+, here or in another container/;
const lockFiles = async (directory: string) =>
  (await readdir(dirname(directory))).filter((name) => name.includes('.lock'));

it('is released by kill -9: the next process acquires it at once', async () => {
  const directory = await testDataDir();
  const holder = startCandidate(directory);
  expect(await holder.result).toBe('locked');
  await expect(lockDataDirectory(directory, 0)).rejects.toThrow(`in use by process ${holder.child.pid},`);
  await killCandidate(holder);
  expect(await lockFiles(directory)).toHaveLength(1);
  const release = await lockDataDirectory(directory, 0);
  await release();
  expect(await lockFiles(directory)).toEqual([]);
});

it('is acquired by exactly one of several processes at once, next to a stale lock', async () => {
  const directory = await testDataDir();
  const stale = startCandidate(directory);
  expect(await stale.result).toBe('locked');
  await killCandidate(stale);
  const candidates = Array.from({ length: 6 }, () => startCandidate(directory, { waitMs: 3_000 }));
  const results = await Promise.all(candidates.map(({ result }) => result));
  expect(results.filter((result) => result === 'locked')).toHaveLength(1);
  expect(results.filter((result) => inUse.test(result))).toHaveLength(5);
  expect(await lockFiles(directory)).toHaveLength(1);
});

it('has one holder at a time among many attempts in one process', async () => {
  const directory = await testDataDir();
  let holders = 0;
  const holderCounts: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const release = await lockDataDirectory(directory, 60_000);
      holders += 1;
      holderCounts.push(holders);
      await new Promise((resolve) => setTimeout(resolve, 5));
      holders -= 1;
      await release();
    }),
  );
  expect(holderCounts).toEqual(Array.from({ length: 20 }, () => 1));
});

it('waits for a process that is being stopped', async () => {
  const directory = await testDataDir();
  const holder = startCandidate(directory, { holdMs: 1_500 });
  expect(await holder.result).toBe('locked');
  const release = await lockDataDirectory(directory);
  await release();
});

it('works at a path that is too long for a socket', async () => {
  const folder = join(await testDataDir(), 'a'.repeat(60), 'b'.repeat(60));
  await mkdir(folder, { recursive: true });
  const directory = join(folder, 'db');
  const holder = startCandidate(directory);
  expect(await holder.result).toBe('locked');
  await expect(lockDataDirectory(directory, 0)).rejects.toThrow(inUse);
  await killCandidate(holder);
  const release = await lockDataDirectory(directory, 0);
  await release();
  expect(await lockFiles(directory)).toEqual([]);
  await rm(folder, { recursive: true });
});

const hasNamespaces = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('Skipped: this user may not create pid namespaces (unshare --pid).');
    return false;
  }
})();

it.runIf(hasNamespaces)('holds between pid namespaces, as between containers', async () => {
  const directory = await testDataDir();
  const holder = startCandidate(directory, { inNamespace: true });
  expect(await holder.result).toBe('locked');
  expect(await startCandidate(directory, { inNamespace: true }).result).toMatch(inUse);
  await expect(lockDataDirectory(directory, 0)).rejects.toThrow(inUse);
  await killCandidate(holder);
  const next = startCandidate(directory, { inNamespace: true, waitMs: 2_000 });
  expect(await next.result).toBe('locked');
});
