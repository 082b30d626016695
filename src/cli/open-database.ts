/** The database of the configuration, or a line that says why not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { explainDatabase } from '../db/explain.ts';
import { migrate } from '../db/migrate.ts';
import { type OpenOptions, openDb } from '../db/open.ts';
import type { Db } from '../db/sql.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { packageRoot } from '../lib/package-root.ts';

type Extras = Pick<OpenOptions, 'onError' | 'onLongRead' | 'onStatement' | 'onWait'>;

export async function openDatabase(config: Config, extras: Extras = {}): Promise<Db> {
  const template = join(packageRoot, 'dist', 'template.tar');
  const place = { url: config.databaseUrl, dataDir: config.dataDir };
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
      ...extras,
    });
    await db.ping();
    return db;
  } catch (error) {
    await db?.close();
    throw explainDatabase(error, place);
  }
}

/** Applies what is missing; the names of what it applied. */
export async function bringUpToDate(db: Db): Promise<string[]> {
  try {
    return await migrate(db);
  } catch (error) {
    if (!(error instanceof Error) || !/permission denied/i.test(error.message)) throw error;
    throw new OperatorError(
      'DATABASE_URL: its user may not create tables. Let them own the database, or run "duet migrate" as who may.',
      { cause: error },
    );
  }
}
