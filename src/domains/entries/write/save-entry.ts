/** Writes a changed entry, and tells whoever wants to know. */
import type { Queries } from '../../../db/handles.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { changeAndEmit, type EmitServices } from '../../webhooks/emit-events.ts';
import { entryEvent } from '../events.ts';
import { type Entry, entries } from '../model.ts';

/** For an entry that is locked, and changed as a caller wants it. */
export const saveEntry = (services: EmitServices, tx: Queries, entry: Entry) =>
  changeAndEmit(services, tx, {
    statement: `${entries.update} returning id`,
    params: requireRecordSize(entries.updateParams(entry)),
    businessId: entry.businessId,
    events: [entryEvent('entry.updated', entry)],
  });

const params = entries.updateParams({} as Entry).length;

/** For an entry that nobody has locked: whether it still was of the version that it was changed from. */
export async function saveEntryIfUnchanged(
  services: EmitServices,
  queries: Queries,
  before: number,
  entry: Entry,
): Promise<boolean> {
  const rows = await changeAndEmit(services, queries, {
    statement: `${entries.update} and e.version = $${params + 1} returning id`,
    params: [...entries.updateParams(entry), before],
    businessId: entry.businessId,
    events: [entryEvent('entry.updated', entry)],
  });
  return rows.length > 0;
}
