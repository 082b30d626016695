/** `duet migrate`: applies pending migrations and creates the job queues on every server, to upgrade the databases before the processes. */
import { createJobQueues } from '../../adapters/jobs/create-queues.ts';
import type { Db } from '../../db/handles.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { allJobs } from '../../maintenance/all-jobs.ts';
import { createDatabaseCommand } from '../command-types-and-usage-error.ts';
import { migrateDatabase, type OpenedShard, withShards } from '../open-and-migrate-databases.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

const parseMigrateArgs = (args: readonly string[]) =>
  parseCommandArgs(args, { json: { type: 'boolean', default: false } }).values.json;

export const migrateCommand = createDatabaseCommand(parseMigrateArgs, async ({ config, db, write }, json) => {
  const home = await migrateServer(db);
  const shards = await withShards(config, db, (opened) => Promise.all(opened.map(migrateShard)));
  if (json) {
    const shardResults = shards.map(({ name, error, ...upgrade }) => ({
      name,
      ...upgrade,
      ...(error && { error: error.message }),
    }));
    write(`${JSON.stringify({ ...home, ...(shards.length === 0 ? {} : { shards: shardResults }) })}\n`);
  } else {
    write(formatUpgrade(home));
    for (const { name, error, ...upgrade } of shards)
      write(error ? `${error.message}\n` : formatUpgrade(upgrade, `${name}: `));
  }
  const failed = shards.filter(({ error }) => error !== undefined);
  if (failed.length > 0)
    throw new OperatorError(
      `${failed.length} of ${shards.length} servers of DATABASE_SHARDS were not migrated. Run duet migrate again.`,
    );
});

interface ServerUpgrade {
  applied: string[];
  newer?: string;
}

async function migrateServer(db: Db): Promise<ServerUpgrade> {
  const { applied, newer } = await migrateDatabase(db);
  // Queues are tables: the role of a gateway that starts later need not be allowed to create them.
  await createJobQueues(db, allJobs);
  return { applied, ...(newer === undefined ? {} : { newer }) };
}

async function migrateShard(
  shard: OpenedShard,
): Promise<ServerUpgrade & { name: string; error?: OperatorError }> {
  const { name } = shard;
  return shard.db ? { name, ...(await migrateServer(shard.db)) } : { name, applied: [], error: shard.error };
}

function formatUpgrade({ applied, newer }: ServerUpgrade, prefix = ''): string {
  if (applied.length === 0 && newer === undefined) return `${prefix}The database is up to date.\n`;
  const lines = applied.map((name) => `${prefix}Applied ${name}\n`).join('');
  return newer === undefined ? lines : `${lines}${prefix}Nothing more to apply: ${newer}\n`;
}
