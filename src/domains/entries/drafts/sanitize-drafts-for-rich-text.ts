/** Sanitises stored draft texts after their block has become rich text. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { sanitizeStoredRichTextInBatches } from '../blocks/sanitize-stored-rich-text.ts';

const saveStatement = `update entry_drafts d set blocks = c.blocks, version = d.version + 1, updated_at = $2
  from jsonb_to_recordset($1::jsonb) as c(id uuid, blocks jsonb) where d.id = c.id`;

const sanitizeWhere = (tx: QueryHandle, condition: string, key: string, richTextIds: ReadonlySet<string>) =>
  sanitizeStoredRichTextInBatches(richTextIds, {
    next: (after, limit) =>
      tx.sql(
        `select d.id, d.blocks from entry_drafts d join entries e on e.id = d.id
         where ${condition} = $1 and d.blocks is not null and ($2::uuid is null or d.id > $2) order by d.id limit $3 for update of d`,
        [key, after, limit],
      ),
    save: (changed) => tx.write(saveStatement, [JSON.stringify(changed), now()]),
  });

/** For all drafts of a collection whose blocks in `richTextIds` have become rich text. */
export const sanitizeEntryDraftsOfCollection = (
  tx: QueryHandle,
  collectionId: string,
  richTextIds: ReadonlySet<string>,
) => sanitizeWhere(tx, 'e.collection_id', collectionId, richTextIds);

/** For the draft of an entry that moves to a collection whose blocks in `richTextIds` are rich text. */
export async function sanitizeEntryDraft(
  tx: QueryHandle,
  entryId: string,
  richTextIds: ReadonlySet<string>,
): Promise<void> {
  if (richTextIds.size > 0) await sanitizeWhere(tx, 'e.id', entryId, richTextIds);
}
