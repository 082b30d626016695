/** Loads an entry as of a version. Versions that changed neither content nor status are not stored: the last stored one before applies. */
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { type EntryVersion, entryVersionTable } from './model.ts';

const statement = `select ${entryVersionTable.columns} from ${entryVersionTable.from} where v.entry_id = $1 and v.version <= $2
  order by v.version desc limit 1`;

export async function loadEntryAtVersion(
  queries: QueryHandle,
  entry: { id: string; version: number },
  version: number,
): Promise<EntryVersion> {
  const [row] = version <= entry.version ? await queries.sql<UntypedRow>(statement, [entry.id, version]) : [];
  if (!row) throw notFoundError('Version');
  return entryVersionTable.read(row);
}
