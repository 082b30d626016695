/** Opens and migrates the configured database servers, with operator-friendly errors. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { explainDbOpenError } from '../db/explain-open-error.ts';
import type { Db } from '../db/handles.ts';
import { migrate } from '../db/migrations/apply-and-list-migrations.ts';
import { describeOrRejectNewerDatabase } from '../db/migrations/detect-newer-database.ts';
import { openDb } from '../db/open-db.ts';
import type { OpenDbOptions } from '../db/open-options.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { packageRoot } from '../lib/package-info.ts';
import type { BusinessServer } from '../servers/server-dbs.ts';
import { type DatabaseShard, homeServerName } from '../shard-variables.ts';

type DatabaseObservers = Pick<OpenDbOptions, 'onCrash' | 'onError' | 'onSlowRead' | 'onStatement' | 'onWait'>;

export async function openDatabase(config: Config, observers: DatabaseObservers = {}): Promise<Db> {
  const template = join(packageRoot, 'dist', 'template.tar');
  const location = { url: config.databaseUrl, dataDir: config.dataDir };
  let db: Db | undefined;
  try {
    db = await openDb({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      prepared: config.databasePrepared,
      replicaUrls: config.databaseReplicaUrls,
      replicaMaxLagMs: config.replicaMaxLagMs,
      dataDir: join(config.dataDir, 'db'),
      template: existsSync(template) ? template : undefined,
      poolSize: config.databasePool,
      cacheBytes: config.cacheBytes,
      batching: config.fastPath,
      ...observers,
    });
    await db.ping();
    return db;
  } catch (error) {
    await db?.close();
    throw explainDbOpenError(error, location);
  }
}

/**
 * Delays SIGTERM and SIGINT until `run` has finished, so that a migration is not interrupted; a second signal ends the process at once.
 * An interrupted migration is rolled back and applied again by the next start.
 */
async function deferSignals<T>(run: () => Promise<T>): Promise<T> {
  let deferred: NodeJS.Signals | undefined;
  const defer = (signal: NodeJS.Signals) => {
    if (deferred) process.exit(1);
    deferred = signal;
    process.stderr.write(
      'Migrating the database: the process stops when this is done. Signal again to stop now.\n',
    );
  };
  process.on('SIGTERM', defer).on('SIGINT', defer);
  try {
    return await run();
  } finally {
    process.off('SIGTERM', defer).off('SIGINT', defer);
    if (deferred) process.kill(process.pid, deferred);
  }
}

interface DatabaseUpgrade {
  /** Names of the migrations that were applied. */
  applied: string[];
  /** Description of a database that is newer than this program. */
  newer: string | undefined;
}

/** Applies pending migrations. Throws if the database is too new for this program. */
export async function migrateDatabase(db: Db): Promise<DatabaseUpgrade> {
  try {
    const newer = await describeOrRejectNewerDatabase(db);
    return { applied: await deferSignals(() => migrate(db)), newer };
  } catch (error) {
    if (!(error instanceof Error) || !/permission denied/i.test(error.message)) throw error;
    throw new OperatorError(
      'DATABASE_URL: its user may not create tables. Make the user owner of the database, or run "duet migrate" with a user that may.',
      { cause: error },
    );
  }
}

/** An unavailable server has an error instead of a database. */
export type OpenedShard = DatabaseShard & ({ db: Db } | { db: undefined; error: OperatorError });

async function openShard(
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

/** Opens the servers of DATABASE_SHARDS for a gateway. All must be available; the gateway runs on when one fails later. */
export async function openServers(
  config: Config,
  home: Db,
  observers: DatabaseObservers,
): Promise<BusinessServer[]> {
  const shards = await Promise.all(config.databaseShards.map((shard) => openShard(shard, config, observers)));
  try {
    await assertDifferentDatabases(home, shards);
    return shards.map((shard) => {
      if (!shard.db) throw shard.error;
      return shard;
    });
  } catch (error) {
    await Promise.all(shards.map(({ db }) => db?.close()));
    throw error;
  }
}

/** Several addresses may lead to one database, on which a business would then exist twice. */
async function assertDifferentDatabases(home: Db, shards: readonly OpenedShard[]): Promise<void> {
  const nameByIdentity = new Map([[await readIdentity(home), homeServerName]]);
  for (const { name, db } of shards) {
    if (!db) continue;
    const identity = await readIdentity(db);
    const other = nameByIdentity.get(identity);
    if (other !== undefined)
      throw new OperatorError(
        `DATABASE_SHARDS: ${other} and ${name} are the same database, or one is a physical copy of the other.`,
      );
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
