/** Detects the extension pg_trgm, which search needs for mistyped words. */
import type { Db } from './handles.ts';

/** One lookup per database; a failed one is retried. */
const supportByDb = new WeakMap<Db['recordCache'], Promise<boolean>>();

export function hasTrigramSupport(db: Pick<Db, 'sql' | 'recordCache'>): Promise<boolean> {
  let support = supportByDb.get(db.recordCache);
  if (!support) {
    support = queryTrigramSupport(db);
    supportByDb.set(db.recordCache, support);
    support.catch(() => supportByDb.delete(db.recordCache));
  }
  return support;
}

async function queryTrigramSupport(db: Pick<Db, 'sql'>): Promise<boolean> {
  const [row] = await db.sql<{ found: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'pg_trgm') as found`,
  );
  return row?.found ?? false;
}
