/** Opens the database: a PostgreSQL server when there is a URL, otherwise PGlite inside this process. */
import { RecordCache } from '../lib/cache/record-cache.ts';
import { openEmbeddedDb } from './embedded/open-embedded.ts';
import { type Db, skipTransactionControl } from './handles.ts';
import { applyDbDefaults, type OpenDbOptions } from './open-options.ts';
import { openPostgres } from './postgres/open-postgres.ts';

export async function openDb(options: OpenDbOptions): Promise<Db> {
  const withDefaults = applyDbDefaults(options);
  const { url, cacheBytes, freezeRecords, onStatement } = withDefaults;
  const resolved = {
    ...withDefaults,
    onStatement: onStatement && skipTransactionControl(onStatement),
    recordCache: new RecordCache(cacheBytes, freezeRecords),
  };
  return url === undefined ? openEmbeddedDb(resolved) : openPostgres({ ...resolved, url });
}
