/** Reads drafts: those of entries that a viewer may write, or one for writing. */
import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { type DraftView, drafts, isDraft, type StoredDraft } from './draft-model.ts';

const readable = `select ${drafts.columns}, e.business_id from ${drafts.from} join entries e on e.id = d.id
  where d.id = any($1::uuid[]) and d.blocks is not null and ${holds('e.business_id', '$2', 'CONTENT_WRITE')}`;

/** In the order of the entries; null where there is none, and for whoever may not write the entry. */
export async function loadDrafts(ctx: Context, entryIds: readonly string[]): Promise<(DraftView | null)[]> {
  const reader = permissionHolder(ctx.viewer, 'CONTENT_WRITE');
  if (reader === null) return entryIds.map(() => null);
  const rows = await ctx.db.sql<Row & { business_id: string }>(readable, [entryIds, reader]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return entryIds.map((id) => {
    const row = found.get(id);
    const draft = row && drafts.read(row);
    return row && isDraft(draft) ? { ...draft, businessId: row.business_id } : null;
  });
}

/** What is kept of an entry's drafts. Whoever changes them has locked the entry. */
export async function storedDraft(queries: Queries, entryId: string): Promise<StoredDraft | undefined> {
  const [row] = await queries.sql<Row>(`select ${drafts.columns} from ${drafts.from} where d.id = $1`, [
    entryId,
  ]);
  return row && drafts.read(row);
}
