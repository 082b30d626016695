/** Runs a program of the package, which npm puts first on the PATH. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends this process when the program fails: it has printed the reason itself. */
export async function runProgram(program: string, ...args: string[]): Promise<void> {
  const [code] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) process.exit(1);
}
