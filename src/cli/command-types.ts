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
}

export type DatabaseCommand = (context: CommandContext, args: readonly string[]) => Promise<void>;
export type LocalCommand = (env: RawEnvironment, args: readonly string[]) => Promise<void>;

/** Invalid arguments of a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
