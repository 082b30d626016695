/** `duet migrate`: applies pending migrations, to upgrade the database before the processes. */
import { parseArgs } from 'node:util';
import type { DatabaseCommand } from '../command-types.ts';
import { migrateDatabase } from '../open-database.ts';

export const migrateCommand: DatabaseCommand = async ({ db, write }, args) => {
  parseArgs({ args: [...args], options: {} });
  const applied = await migrateDatabase(db);
  write(
    applied.length === 0
      ? 'The database is up to date.\n'
      : applied.map((name) => `Applied ${name}\n`).join(''),
  );
};
