/** The gateway as a process of its own, to be watched and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/db/migrate.ts';

export interface Gateway {
  readonly pid: number;
  /** Resident memory in MB. */
  memory(): Promise<number>;
  /** Ends it at once, without a word. */
  kill(): Promise<void>;
}

/** Resolves when the process says that it listens. */
export async function startGateway(env: Record<string, string>): Promise<Gateway> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(packageRoot, 'src', 'main.ts')], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, PORT: '0', SEED_DEMO: 'off', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output.push(chunk.toString());
      if (output.join('').includes('Health')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The gateway ended:\n${output.join('')}`)));
  });
  return {
    pid: child.pid as number,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    kill: () => kill(child),
  };
}

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
