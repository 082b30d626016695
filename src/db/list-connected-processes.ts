/** Gateway processes connected to this database, for the status page of operators. */
import { packageVersion } from '../lib/package-info.ts';
import type { Db } from './handles.ts';

export interface ConnectedProcess {
  /** `duet <version>`, and on PostgreSQL also `<host>:<process id>`. */
  name: string;
  connections: number;
}

/** Every process sets its `application_name`, by which PostgreSQL lists its connections. */
export async function listConnectedProcesses(db: Db): Promise<ConnectedProcess[]> {
  if (db.embedded) return [{ name: `duet ${packageVersion}`, connections: 1 }];
  return db.sql(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name ~ '^duet [0-9]' group by 1 order by 1`,
  );
}
