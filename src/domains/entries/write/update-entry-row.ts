/** Updates the row of an entry and emits entry.updated in the same statement. */
import type { Queries } from '../../../db/index.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { changeAndEmit, type EmitServices } from '../../webhooks/emit-events.ts';
import { entryEvent } from '../events.ts';
import { type Entry, entryTable } from '../model.ts';

/** For a caller that holds the lock of the entry (`lockEntry`). */
export const saveEntry = (services: EmitServices, tx: Queries, entry: Entry) =>
  changeAndEmit(services, tx, {
    statement: `${entryTable.update} returning id`,
    params: requireRecordSize(entryTable.updateParams(entry)),
    businessId: entry.businessId,
    events: [entryEvent('entry.updated', entry)],
  });

const updateParamCount = entryTable.updateParams({} as Entry).length;

/** Optimistic update for a caller without a lock: false when the entry no longer has the version `before`. */
export async function saveEntryIfUnchanged(
  services: EmitServices,
  queries: Queries,
  before: number,
  entry: Entry,
): Promise<boolean> {
  const rows = await changeAndEmit(services, queries, {
    statement: `${entryTable.update} and e.version = $${updateParamCount + 1} returning id`,
    params: [...entryTable.updateParams(entry), before],
    businessId: entry.businessId,
    events: [entryEvent('entry.updated', entry)],
  });
  return rows.length > 0;
}
