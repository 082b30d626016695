/** The command of the package as a process of its own, run to its end. */
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
  /** Another user, for what root may do and others may not. */
  uid?: number;
}

export function runDuet(args: readonly string[], { env = {}, uid }: CliOptions = {}): Promise<ProcessResult> {
  return runProcess(process.execPath, [...nodeFlags, join(inject('programs'), 'duet.js'), ...args], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...env },
    ...(uid === undefined ? {} : { uid }),
  });
}

/** Ends it after a minute, or the time given, whatever it does. */
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
