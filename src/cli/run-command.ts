/** Runs a `duet` command by name, and reports errors as one line with exit code 1, or 2 for wrong usage. */
import { listMisspeltVariables } from '../find-misspelt-variables.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { packageVersion } from '../lib/package-info.ts';
import { formatSuggestion } from '../lib/text/closest-name.ts';
import { heapGrowthLimiter } from '../vendor/v8/heap-growth-limits.ts';
import { type RawEnvironment, UsageError } from './command-types-and-usage-error.ts';
import { commandsByName } from './commands-by-name.ts';
import { formatCliUsage, formatCommandHelp, formatCommandUsageLine } from './format-help.ts';
import { colourText, hasColours } from './terminal-output.ts';

/** Names that other programs have for a command. */
const commandSynonyms: ReadonlyMap<string, string> = new Map([
  ...['serve', 'server', 'run', 'dev', 'up'].map((name) => [name, 'start'] as const),
  ...['create', 'new', 'setup'].map((name) => [name, 'init'] as const),
  ...['check', 'status'].map((name) => [name, 'doctor'] as const),
]);

/** Node's own exit code for an unsettled top-level await. */
const unfinishedExitCode = 13;

/** Awaits the work; sets exit code 13 if the event loop runs empty before the promise settles. */
export async function failOnEarlyExit<T>(work: Promise<T>): Promise<T> {
  const reportUnfinished = () => {
    console.error('The event loop is empty, but the command is not done.');
    process.exitCode = unfinishedExitCode;
  };
  process.once('beforeExit', reportUnfinished);
  try {
    return await work;
  } finally {
    process.off('beforeExit', reportUnfinished);
  }
}

/** Exit codes as a shell reports them. */
const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;

/** Exits on a signal that no other listener handles: before the gateway listens, and in all other commands. */
function exitOnUnhandledSignals(): void {
  if (process.pid !== 1) return;
  for (const [signal, code] of Object.entries(exitCodes))
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
}

export async function runDuetCommand(argv: readonly string[], env: RawEnvironment): Promise<void> {
  exitOnUnhandledSignals();
  const [name = 'help', ...args] = argv;
  if (['version', '--version', '-v'].includes(name)) return void process.stdout.write(`${packageVersion}\n`);
  const isHelp = ['help', '--help', '-h'].includes(name);
  const command = commandsByName.get(isHelp ? (args[0] ?? '') : name);
  const isUnknownTopic = isHelp && args[0] !== undefined && !command;
  if ((isHelp && !isUnknownTopic) || (command && args.some((arg) => arg === '--help' || arg === '-h'))) {
    process.stdout.write(command ? formatCommandHelp(command) : formatCliUsage());
    return;
  }
  if (!command) {
    const unknown = (isHelp ? args[0] : undefined) ?? name;
    const kind = unknown.startsWith('-') ? 'option' : 'command';
    const names = kind === 'option' ? ['--help', '--version'] : commandsByName.keys();
    const synonym = commandSynonyms.get(unknown);
    const suggestion = synonym ? ` Did you mean ${synonym}?` : formatSuggestion(unknown, names);
    process.stderr.write(`There is no ${kind} ${unknown}.${suggestion}\n"duet --help" lists all commands.\n`);
    process.exit(2);
  }
  const colours = hasColours(process.stderr, env);
  // `start` logs them, and `doctor` lists them among its findings.
  if (!['start', 'doctor'].includes(name))
    for (const line of listMisspeltVariables(env))
      process.stderr.write(`${colourText(colours, 'yellow', line)}\n`);
  try {
    // `start` calls it when the gateway listens.
    if (name !== 'start') heapGrowthLimiter.adapt();
    await failOnEarlyExit(command.load().then((run) => run(env, args)));
  } catch (error) {
    // Handles that the command has left open would keep the process alive.
    process.exit(report(error, command.usage, colours));
  }
}

function report(error: unknown, usage: string, colours: boolean): number {
  const colourError = (message: string) => colourText(colours, 'red', message);
  if (isUsageError(error)) {
    process.stderr.write(`${colourError(error.message)}\n${formatCommandUsageLine(usage)}`);
    return 2;
  }
  const isExpected = error instanceof OperatorError || isSystemError(error);
  console.error(isExpected ? colourError(error.message) : error);
  return 1;
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Error of the operating system, such as a missing file. Its message names the path. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;
