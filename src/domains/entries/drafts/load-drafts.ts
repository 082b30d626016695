/** Reads drafts: those of entries that a viewer may write, or one for writing. */
import { hasPermissionSql, permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { type EntryDraftRow, type EntryDraftView, entryDrafts, isOpenDraft } from './model.ts';

const readable = `select ${entryDrafts.columns}, e.business_id from ${entryDrafts.from} join entries e on e.id = d.id
  where d.id = any($1::uuid[]) and d.blocks is not null and ${hasPermissionSql('e.business_id', '$2', 'CONTENT_WRITE')}`;

/** In the order of the entries; null where there is none, and for whoever may not write the entry. */
export async function loadEntryDrafts(
  ctx: Context,
  entryIds: readonly string[],
): Promise<(EntryDraftView | null)[]> {
  const reader = permissionUserId(ctx.viewer, 'CONTENT_WRITE');
  if (reader === null) return entryIds.map(() => null);
  const rows = await ctx.db.sql<TableRow & { business_id: string }>(readable, [entryIds, reader]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return entryIds.map((id) => {
    const row = found.get(id);
    const draft = row && entryDrafts.read(row);
    return row && isOpenDraft(draft) ? { ...draft, businessId: row.business_id } : null;
  });
}

/** What is kept of an entry's drafts. Whoever changes them has locked the entry. */
export async function loadDraftRow(queries: Queries, entryId: string): Promise<EntryDraftRow | undefined> {
  const [row] = await queries.sql<TableRow>(
    `select ${entryDrafts.columns} from ${entryDrafts.from} where d.id = $1`,
    [entryId],
  );
  return row && entryDrafts.read(row);
}
