/** Whether the database can tell how alike two words are: PostgreSQL needs its extension pg_trgm for that. */
import type { Db } from './handles.ts';

const known = new WeakMap<Db['recordCache'], Promise<boolean>>();

export function hasTrigramSupport(db: Pick<Db, 'sql' | 'recordCache'>): Promise<boolean> {
  let answer = known.get(db.recordCache);
  if (!answer) {
    answer = ask(db);
    known.set(db.recordCache, answer);
    answer.catch(() => known.delete(db.recordCache));
  }
  return answer;
}

async function ask(db: Pick<Db, 'sql'>): Promise<boolean> {
  const [row] = await db.sql<{ found: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'pg_trgm') as found`,
  );
  return row?.found ?? false;
}
