/** `duet migrate`: applies pending migrations and creates the job queues, to upgrade the database before the processes. */
import { createJobQueues } from '../../adapters/jobs/create-queues.ts';
import { allJobs } from '../../maintenance/all-jobs.ts';
import { createDatabaseCommand } from '../command-types.ts';
import { migrateDatabase } from '../open-database.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

const parseMigrateArgs = (args: readonly string[]) =>
  parseCommandArgs(args, { json: { type: 'boolean', default: false } }).values.json;

export const migrateCommand = createDatabaseCommand(parseMigrateArgs, async ({ db, write }, json) => {
  const { applied, newer } = await migrateDatabase(db);
  // Queues are tables: the role of a gateway that starts later need not be allowed to create them.
  await createJobQueues(db, allJobs);
  if (json) {
    write(`${JSON.stringify({ applied, ...(newer === undefined ? {} : { newer }) })}\n`);
    return;
  }
  write(applied.map((name) => `Applied ${name}\n`).join(''));
  if (newer !== undefined) write(`Nothing more to apply: ${newer}\n`);
  else if (applied.length === 0) write('The database is up to date.\n');
});
