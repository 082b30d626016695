/** Runs a database command: in the gateway that has the embedded database open, otherwise in this process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import type { Db } from '../db/handles.ts';
import { listPendingMigrations } from '../db/migrations/apply-and-list-migrations.ts';
import { describeOrRejectNewerDatabase } from '../db/migrations/detect-newer-database.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import type { RawEnvironment } from './command-types-and-usage-error.ts';
import { runCommandInGateway } from './control-socket.ts';
import {
  type DatabaseRequirement,
  getDatabaseRequirement,
  loadDatabaseCommand,
} from './database-commands-by-name.ts';
import { openDatabase } from './open-and-migrate-databases.ts';
import { type CommandOutput, createCommandOutput } from './terminal-output.ts';

export async function runDatabaseCommand(
  name: string,
  env: RawEnvironment,
  args: readonly string[],
  write?: (text: string) => void,
): Promise<void> {
  const output = createCommandOutput(process.stdout, process.stderr, env);
  try {
    await runWithOutput(name, env, args, write ? { ...output, write } : output);
  } finally {
    output.end();
  }
}

async function runWithOutput(
  name: string,
  env: RawEnvironment,
  args: readonly string[],
  output: CommandOutput,
): Promise<void> {
  const config = readConfig(env, 'database');
  const cwd = process.cwd();
  const runInOtherProcess = async () =>
    config.databaseUrl === undefined &&
    (await runCommandInGateway(
      config.dataDir,
      { name, args, cwd, colours: output.colours },
      output.write,
      output.progress,
    ));
  if (await runInOtherProcess()) return;
  const run = await loadDatabaseCommand(name);
  const requirement = getDatabaseRequirement(name);
  run?.checkArgs?.(args);
  if (run?.usesServices?.(args)) readConfig(env);
  assertDatabaseExists(config, requirement);
  const db = await openDatabase(config).catch(async (error: unknown) => {
    // A gateway that was still starting has the database open, and accepts commands by now.
    if (await runInOtherProcess()) return undefined;
    throw error;
  });
  if (!db) return;
  try {
    await assertMigrated(db, requirement);
    await run?.({ config, db, cwd, ...output }, args);
  } finally {
    await db.close();
  }
}

/** A command that only reads or changes a database must not create one, for example in the wrong folder. */
function assertDatabaseExists({ databaseUrl, dataDir }: Config, requirement: DatabaseRequirement): void {
  if (requirement === 'creates' || databaseUrl !== undefined || existsSync(join(dataDir, 'db'))) return;
  throw new OperatorError(
    `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL, or create it with "duet start" or "duet migrate".`,
  );
}

async function assertMigrated(db: Db, requirement: DatabaseRequirement): Promise<void> {
  if (requirement !== 'migrated') return;
  const pending = await listPendingMigrations(db);
  if (pending.length > 0)
    throw new OperatorError(`The database lacks ${pending.length} migrations. Run: duet migrate`);
  await describeOrRejectNewerDatabase(db);
}
