/** What a command is: some stand alone, the others work on the database, wherever it is open. */
import type { Config } from '../config.ts';
import type { Db } from '../db/sql.ts';

export type Environment = Record<string, string | undefined>;

export interface Desk {
  config: Config;
  db: Db;
  /** Where the person who asked stands: their file names start there. */
  cwd: string;
  write(text: string): void;
}

export type DatabaseCommand = (desk: Desk, args: readonly string[]) => Promise<void>;
export type LocalCommand = (env: Environment, args: readonly string[]) => Promise<void>;

/** A command that was called in a way it does not know. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
