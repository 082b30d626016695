/** Sets the status of many entries in one transaction and emits entry.updated for each changed entry. Ids that do not exist are reported, not rejected. */
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { appendStatusChanges, createStatusHistoryEntryBuilder } from '../../shared/status-history.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { buildEntryEvent } from '../build-events.ts';
import { type Entry, entryTable } from '../model.ts';
import type { SetEntryStatusesArgs } from '../schemas.ts';

export const entryStatusResults = ['CHANGED', 'UNCHANGED', 'NOT_FOUND'] as const;

export interface EntryStatusChange {
  id: string;
  result: (typeof entryStatusResults)[number];
  entry?: Entry | undefined;
}

// Lock order: by id, so that two calls with common ids cannot deadlock.
const lockStatement = `select ${entryTable.columns} from ${entryTable.from}
  where e.business_id = $1 and e.id = any($2::uuid[]) order by e.id for update`;
const saveStatement = `update entries e set statuses = r.statuses, version = e.version + 1, updated_at = r.updated_at
  from jsonb_to_recordset($1::jsonb) as r(id uuid, statuses jsonb, updated_at bigint) where e.id = r.id`;

export const setEntryStatuses = (ctx: Context, args: SetEntryStatusesArgs): Promise<EntryStatusChange[]> =>
  ctx.db.transaction((tx) => changeStatuses(ctx, tx, args));

async function changeStatuses(
  ctx: Context,
  tx: QueryHandle,
  { businessId, ids, status }: SetEntryStatusesArgs,
): Promise<EntryStatusChange[]> {
  const rows = await tx.sql<UntypedRow>(lockStatement, [businessId, ids.filter(isId)]);
  const existing = new Map(rows.map((row) => [row.id, entryTable.read(row)]));
  const changed = new Map<string, Entry>();
  const time = now();
  for (const entry of existing.values()) {
    const statuses = appendStatusChanges(
      entry.statuses,
      [{ status }],
      createStatusHistoryEntryBuilder(ctx.viewer),
    );
    if (statuses.length > entry.statuses.length)
      changed.set(entry.id, { ...entry, statuses, version: tx.nextVersion(entry.version), updatedAt: time });
  }
  const records = [...changed.values()];
  if (records.length > 0) {
    for (const entry of records) requireRecordWithinSizeLimit(entryTable.updateParams(entry));
    const updates = records.map(({ id, statuses, updatedAt }) => ({ id, statuses, updated_at: updatedAt }));
    await tx.write(saveStatement, [JSON.stringify(updates)]);
    await emitWebhookEvents(
      ctx,
      tx,
      businessId,
      records.map((entry) => buildEntryEvent('entry.updated', entry)),
    );
  }
  return ids.map((id) => {
    const entry = changed.get(id.toLowerCase()) ?? existing.get(id.toLowerCase());
    if (!entry) return { id, result: 'NOT_FOUND' };
    return { id, result: changed.has(entry.id) ? 'CHANGED' : 'UNCHANGED', entry };
  });
}
