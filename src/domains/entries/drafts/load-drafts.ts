/** Loads drafts: a batch for the viewer, or one row for writing. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { type EntryDraftInBusiness, type EntryDraftRow, entryDraftTable, isOpenDraft } from './model.ts';

const selectReadable = `select ${entryDraftTable.columns}, e.business_id from ${entryDraftTable.from} join entries e on e.id = d.id
  where d.id = any($1::uuid[]) and d.blocks is not null and ${buildPermissionConditionSql('e.business_id', '$2', 'CONTENT_WRITE')}`;

/** Drafts in the order of `entryIds`; null where there is no draft or the viewer lacks CONTENT_WRITE. */
export async function loadEntryDrafts(
  ctx: Context,
  entryIds: readonly string[],
): Promise<(EntryDraftInBusiness | null)[]> {
  const reader = ctx.viewer.userIdForPermissionSql('CONTENT_WRITE');
  if (reader === null) return entryIds.map(() => null);
  const rows = await ctx.db.sql<UntypedRow & { business_id: string }>(selectReadable, [entryIds, reader]);
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return entryIds.map((id) => {
    const row = rowsById.get(id);
    const draft = row && entryDraftTable.read(row);
    return row && isOpenDraft(draft) ? { ...draft, businessId: row.business_id } : null;
  });
}

/** Draft row of an entry, open or closed. A caller that changes it must hold the lock of the entry (`lockEntry`). */
export async function loadEntryDraftRow(
  queries: QueryHandle,
  entryId: string,
): Promise<EntryDraftRow | undefined> {
  const [row] = await queries.sql<UntypedRow>(
    `select ${entryDraftTable.columns} from ${entryDraftTable.from} where d.id = $1`,
    [entryId],
  );
  return row && entryDraftTable.read(row);
}
