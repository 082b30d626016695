/** What an entry was at a version: that of the last kept one up to it. */
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { notFound } from '../../errors.ts';
import { type EntryVersion, versions } from './version-model.ts';

const statement = `select ${versions.columns} from ${versions.from} where v.entry_id = $1 and v.version <= $2
  order by v.version desc limit 1`;

export async function versionAt(
  queries: Queries,
  entry: { id: string; version: number },
  version: number,
): Promise<EntryVersion> {
  const [row] = version <= entry.version ? await queries.sql<Row>(statement, [entry.id, version]) : [];
  if (!row) throw notFound('Version');
  return versions.read(row);
}
