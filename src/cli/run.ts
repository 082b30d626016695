/** Runs a `duet` command by name, and reports errors as one line with exit code 1, or 2 for wrong usage. */
import { OperatorError } from '../lib/operator-errors.ts';
import { commandRegistry, formatCliUsage } from './command-registry.ts';
import { type RawEnvironment, UsageError } from './command-types.ts';
import { failOnEarlyExit } from './exit-guard.ts';

export async function runDuet(argv: readonly string[], env: RawEnvironment): Promise<void> {
  const [name = 'help', ...args] = argv;
  if (['help', '--help', '-h'].includes(name) || args.includes('--help')) {
    process.stdout.write(formatCliUsage());
    return;
  }
  const command = commandRegistry.get(name);
  if (!command) {
    process.stderr.write(`There is no command ${JSON.stringify(name)}.\n\n${formatCliUsage()}`);
    process.exit(2);
  }
  try {
    await failOnEarlyExit(command.load().then((run) => run(env, args)));
  } catch (error) {
    // Handles that the command has left open would keep the process alive.
    process.exit(report(error, command.usage));
  }
}

function report(error: unknown, usage: string): number {
  if (isUsageError(error)) {
    console.error(`${error.message}\nUsage: duet ${usage}`);
    return 2;
  }
  console.error(error instanceof OperatorError ? error.message : error);
  return 1;
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
