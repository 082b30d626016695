/** Opens the database servers of DATABASE_SHARDS, and verifies that each of them is a server of its own. */
import type { Config } from '../config.ts';
import { explainDbOpenError } from '../db/explain-open-error.ts';
import type { Db } from '../db/handles.ts';
import { openDb } from '../db/open.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { type DatabaseShard, homeServerName } from '../shard-variables.ts';
import type { DatabaseObservers } from './open-database.ts';

/** An unavailable server has an error instead of a database. */
export type OpenedShard = DatabaseShard & ({ db: Db } | { db: undefined; error: OperatorError });

export async function openShard(
  shard: DatabaseShard,
  config: Config,
  observers: DatabaseObservers = {},
): Promise<OpenedShard> {
  let db: Db | undefined;
  try {
    db = await openDb({
      url: shard.url,
      prepared: config.databasePrepared,
      poolSize: config.databasePool,
      cacheBytes: config.cacheBytes,
      batching: config.fastPath,
      ...observers,
    });
    await db.ping();
    return { ...shard, db };
  } catch (error) {
    await db?.close();
    const { message } = explainDbOpenError(error, { url: shard.url, dataDir: config.dataDir });
    const line = `DATABASE_SHARDS, ${shard.name}: ${message.replace(/^DATABASE_URL: /, '')}`;
    return { ...shard, db: undefined, error: new OperatorError(line, { cause: error }) };
  }
}

/** Runs `run` with all servers, and closes those of DATABASE_SHARDS afterwards. */
export async function withShards<T>(
  config: Config,
  home: Db,
  run: (shards: readonly OpenedShard[]) => Promise<T>,
): Promise<T> {
  const shards = await Promise.all(config.databaseShards.map((shard) => openShard(shard, config)));
  try {
    await assertDifferentDatabases(home, shards);
    return await run(shards);
  } finally {
    await Promise.all(shards.map(({ db }) => db?.close()));
  }
}

/** Several addresses may lead to one database, on which a business would then exist twice. */
export async function assertDifferentDatabases(home: Db, shards: readonly OpenedShard[]): Promise<void> {
  const nameByIdentity = new Map([[await readIdentity(home), homeServerName]]);
  for (const { name, db } of shards) {
    if (!db) continue;
    const identity = await readIdentity(db);
    const other = nameByIdentity.get(identity);
    if (other !== undefined)
      throw new OperatorError(`DATABASE_SHARDS: ${other} and ${name} are the same database.`);
    nameByIdentity.set(identity, name);
  }
}

async function readIdentity(db: Db): Promise<string> {
  // The function may be forbidden to the role; the start time of the server and the database then identify it well enough.
  const [row] = await db
    .sql<{ identity: string }>(
      `select concat_ws(' ', (select system_identifier from pg_control_system()), (select oid from pg_database where datname = current_database())) as identity`,
    )
    .catch(() =>
      db.sql<{ identity: string }>(
        `select concat_ws(' ', pg_postmaster_start_time(), (select oid from pg_database where datname = current_database())) as identity`,
      ),
    );
  return row?.identity ?? '';
}
