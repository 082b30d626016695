/** Whether the database can tell how alike two words are: PostgreSQL needs its extension pg_trgm for that. */
import type { Db } from './sql.ts';

const known = new WeakMap<Db['kept'], Promise<boolean>>();

export function knowsTrigrams(db: Pick<Db, 'sql' | 'kept'>): Promise<boolean> {
  let answer = known.get(db.kept);
  if (!answer) {
    answer = ask(db);
    known.set(db.kept, answer);
    answer.catch(() => known.delete(db.kept));
  }
  return answer;
}

async function ask(db: Pick<Db, 'sql'>): Promise<boolean> {
  const [row] = await db.sql<{ found: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'pg_trgm') as found`,
  );
  return row?.found ?? false;
}
