/** Updates the row of an entry and emits entry.updated in the same statement. */
import type { QueryHandle } from '../../../db/index.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { runStatementAndEmitWebhookEvents, type WebhookEmitServices } from '../../webhooks/emit-events.ts';
import { buildEntryEvent } from '../build-events.ts';
import { type Entry, entryTable } from '../model.ts';

/** For a caller that holds the lock of the entry (`lockEntry`). */
export const saveEntry = (services: WebhookEmitServices, tx: QueryHandle, entry: Entry) =>
  runStatementAndEmitWebhookEvents(services, tx, {
    statement: `${entryTable.update} returning id`,
    params: requireRecordWithinSizeLimit(entryTable.updateParams(entry)),
    businessId: entry.businessId,
    events: [buildEntryEvent('entry.updated', entry)],
  });

const updateParamCount = entryTable.updateParams({} as Entry).length;

/** Optimistic update for a caller without a lock: false when the entry no longer has the version `before`. */
export async function saveEntryIfUnchanged(
  services: WebhookEmitServices,
  queries: QueryHandle,
  before: number,
  entry: Entry,
): Promise<boolean> {
  const rows = await runStatementAndEmitWebhookEvents(services, queries, {
    statement: `${entryTable.update} and e.version = $${updateParamCount + 1} returning id`,
    params: [...entryTable.updateParams(entry), before],
    businessId: entry.businessId,
    events: [buildEntryEvent('entry.updated', entry)],
  });
  return rows.length > 0;
}
