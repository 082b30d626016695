/** Sanitises stored texts of drafts whose schema has become another one. */
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';
import { sanitiseInBatches } from '../blocks/sanitise-in-batches.ts';

const saveStatement = `update entry_drafts d set blocks = c.blocks, version = d.version + 1, updated_at = $2
  from jsonb_to_recordset($1::jsonb) as c(id uuid, blocks jsonb) where d.id = c.id`;

const cleanThose = (tx: Queries, condition: string, key: string, rich: ReadonlySet<string>) =>
  sanitiseInBatches(rich, {
    next: (after, limit) =>
      tx.sql(
        `select d.id, d.blocks from entry_drafts d join entries e on e.id = d.id
         where ${condition} = $1 and d.blocks is not null and ($2::uuid is null or d.id > $2) order by d.id limit $3 for update of d`,
        [key, after, limit],
      ),
    save: (changed) => tx.sql(saveStatement, [JSON.stringify(changed), now()]),
  });

/** The blocks in `rich` of the collection hold HTML from now on. */
export const sanitiseCollectionDrafts = (tx: Queries, collectionId: string, rich: ReadonlySet<string>) =>
  cleanThose(tx, 'e.collection_id', collectionId, rich);

/** The entry goes where the blocks in `rich` hold HTML. */
export async function sanitiseEntryDraft(
  tx: Queries,
  entryId: string,
  rich: ReadonlySet<string>,
): Promise<void> {
  if (rich.size > 0) await cleanThose(tx, 'e.id', entryId, rich);
}
