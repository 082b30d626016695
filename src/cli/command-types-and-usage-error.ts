/** Types of commands: local ones, and database commands, which may run inside a gateway that has the embedded database open; UsageError. */
import type { Config } from '../config.ts';
import type { Db } from '../db/handles.ts';

export type RawEnvironment = Record<string, string | undefined>;

export interface CommandContext {
  config: Config;
  db: Db;
  /** Working directory of the caller; relative file names are resolved against it. */
  cwd: string;
  write(text: string): void;
  /** Shows a text in the progress line of a terminal. */
  progress?(text: string): void;
  /** Whether `write` may contain colours. Default: false. */
  colours?: boolean;
}

export interface DatabaseCommand {
  (context: CommandContext, args: readonly string[]): Promise<void>;
  /** Throws a UsageError for invalid arguments. Called before the database is opened, which may create it. */
  checkArgs?(args: readonly string[]): void;
  /** Whether the command calls payment provider or mail server, which production then requires. */
  usesServices?(args: readonly string[]): boolean;
}
export type LocalCommand = (env: RawEnvironment, args: readonly string[]) => Promise<void>;

/** A database command from its parser, which throws a UsageError, and its implementation. */
export function createDatabaseCommand<Input>(
  parse: (args: readonly string[]) => Input,
  run: (context: CommandContext, input: Input) => Promise<void>,
  usesServices: (input: Input) => boolean = () => false,
): DatabaseCommand {
  const command = async (context: CommandContext, args: readonly string[]) => run(context, parse(args));
  return Object.assign(command, {
    checkArgs: (args: readonly string[]) => void parse(args),
    usesServices: (args: readonly string[]) => usesServices(parse(args)),
  });
}

/** Invalid arguments of a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
