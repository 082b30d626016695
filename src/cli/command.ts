/** What a command is: some stand alone, the others work on the database, wherever it is open. */
import type { Config } from '../config.ts';
import type { Db } from '../db/handles.ts';

export type CommandEnvironment = Record<string, string | undefined>;

export interface CommandContext {
  config: Config;
  db: Db;
  /** Where the person who asked stands: their file names start there. */
  cwd: string;
  write(text: string): void;
}

export type DatabaseCommand = (desk: CommandContext, args: readonly string[]) => Promise<void>;
export type LocalCommand = (env: CommandEnvironment, args: readonly string[]) => Promise<void>;

/** A command that was called in a way it does not know. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
