/** Runs a database command: in the gateway that has the embedded database open, otherwise in this process. */
import { readConfig } from '../config.ts';
import type { RawEnvironment } from './command-types.ts';
import { runCommandInGateway } from './control-socket.ts';
import { findDatabaseCommand } from './database-commands.ts';
import { openDatabase } from './open-database.ts';

export async function runDatabaseCommand(
  name: string,
  env: RawEnvironment,
  args: readonly string[],
  write = (text: string) => void process.stdout.write(text),
): Promise<void> {
  const config = readConfig(env);
  const cwd = process.cwd();
  const runInOtherProcess = async () =>
    config.databaseUrl === undefined &&
    (await runCommandInGateway(config.dataDir, { name, args, cwd }, write));
  if (await runInOtherProcess()) return;
  const run = await findDatabaseCommand(name);
  const db = await openDatabase(config).catch(async (error: unknown) => {
    // A gateway that was still starting has the database open, and accepts commands by now.
    if (await runInOtherProcess()) return undefined;
    throw error;
  });
  if (!db) return;
  try {
    await run?.({ config, db, cwd, write }, args);
  } finally {
    await db.close();
  }
}
