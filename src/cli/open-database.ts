/** The database of the configuration, or a line that says why not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { explainOpenError } from '../db/explain-open-error.ts';
import type { Db } from '../db/handles.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { type OpenDbOptions, openDb } from '../db/open.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { packageRoot } from '../lib/package-info.ts';

type Extras = Pick<OpenDbOptions, 'onError' | 'onSlowRead' | 'onStatement' | 'onWait'>;

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
    throw explainOpenError(error, place);
  }
}

/** Applies what is missing; the names of what it applied. */
export async function upgradeDatabase(db: Db): Promise<string[]> {
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
