/** Sanitises stored texts of blocks that a schema change turned into rich text: plain text was stored without HTML sanitising. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import type { Block } from '../../blocks/model.ts';
import { listRichTextBlockIds } from '../../blocks/validate-value.ts';
import { registerCollectionDependent } from '../../collections/write/dependent-domain-registry.ts';
import { sanitizeEntryDraftsOfCollection } from '../drafts/sanitize-drafts-for-rich-text.ts';
import { sanitizeStoredRichTextInBatches } from './sanitize-stored-rich-text.ts';

registerCollectionDependent({
  name: 'entries',
  existsSql: (collection) => `exists (select 1 from entries where collection_id = ${collection})`,
  async onCollectionUpdate(tx, before, after) {
    const richTextIds = newRichTextIds(before.blocks, after.blocks);
    if (richTextIds.size === 0) return;
    await sanitizeEntries(tx, after.id, richTextIds);
    await sanitizeEntryDraftsOfCollection(tx, after.id, richTextIds);
  },
});

/** `richTextIds` are the blocks of the collection that have become rich text. */
const sanitizeEntries = (tx: QueryHandle, collectionId: string, richTextIds: ReadonlySet<string>) =>
  sanitizeStoredRichTextInBatches(richTextIds, {
    next: (after, limit) =>
      tx.sql(
        'select id, blocks from entries where collection_id = $1 and ($2::uuid is null or id > $2) order by id limit $3 for update',
        [collectionId, after, limit],
      ),
    save: (changed) =>
      tx.write(
        `update entries e set blocks = c.blocks, version = e.version + 1, updated_at = $2
         from jsonb_to_recordset($1::jsonb) as c(id uuid, blocks jsonb) where e.id = c.id`,
        [JSON.stringify(changed), now()],
      ),
  });

/** Ids of blocks that are rich text in `after` and were not in `before`. */
function newRichTextIds(before: readonly Block[], after: readonly Block[]): Set<string> {
  const previousIds = listRichTextBlockIds(before);
  return new Set([...listRichTextBlockIds(after)].filter((id) => !previousIds.has(id)));
}
