/** Runs the `duet` command, or any program, as a child process. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import { nodeFlags } from './node-flags.ts';

export interface ProcessResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  /** User id of the process, for tests of permissions that root bypasses. */
  uid?: number;
}

export function runDuet(args: readonly string[], { env = {}, uid }: CliOptions = {}): Promise<ProcessResult> {
  return runProcess(process.execPath, [...nodeFlags, join(inject('programs'), 'duet.js'), ...args], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...env },
    ...(uid === undefined ? {} : { uid }),
  });
}

/** Runs a program until it exits, and kills it after 10 minutes or `timeout` milliseconds. */
export function runProcess(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; timeout?: number },
): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      timeout: 600_000,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}
