/** Writes a changed entry, and tells whoever wants to know. */
import type { Queries } from '../../db/sql.ts';
import { fitting } from '../shared/record-size.ts';
import { type Announcer, changeAndAnnounce } from '../webhooks/announce.ts';
import { entryEvent } from './events.ts';
import { type Entry, entries } from './model.ts';

/** For an entry that is locked, and changed as a caller wants it. */
export const saveEntry = (services: Announcer, tx: Queries, entry: Entry) =>
  changeAndAnnounce(services, tx, {
    statement: `${entries.update} returning id`,
    params: fitting(entries.updateParams(entry)),
    businessId: entry.businessId,
    events: [entryEvent('entry.updated', entry)],
  });

const params = entries.updateParams({} as Entry).length;

/** For an entry that nobody has locked: whether it still was of the version that it was changed from. */
export async function saveIfUnchanged(
  services: Announcer,
  queries: Queries,
  before: number,
  entry: Entry,
): Promise<boolean> {
  const rows = await changeAndAnnounce(services, queries, {
    statement: `${entries.update} and e.version = $${params + 1} returning id`,
    params: [...entries.updateParams(entry), before],
    businessId: entry.businessId,
    events: [entryEvent('entry.updated', entry)],
  });
  return rows.length > 0;
}
