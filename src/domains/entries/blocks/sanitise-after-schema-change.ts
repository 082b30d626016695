/** Sanitises stored texts of blocks that have become rich text: what was written as plain text was never looked at. */
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';
import type { Block } from '../../blocks/model.ts';
import { richTextBlockIds } from '../../blocks/validate-value.ts';
import { registerCollectionDependent } from '../../collections/write/dependents.ts';
import { sanitiseCollectionDrafts } from '../drafts/sanitise-drafts.ts';
import { sanitiseInBatches } from './sanitise-in-batches.ts';

registerCollectionDependent({
  name: 'entries',
  existsSql: (collection) => `exists (select 1 from entries where collection_id = ${collection})`,
  async onCollectionUpdate(tx, before, after) {
    const rich = newlyRich(before.blocks, after.blocks);
    if (rich.size === 0) return;
    await sanitiseEntries(tx, after.id, rich);
    await sanitiseCollectionDrafts(tx, after.id, rich);
  },
});

/** `rich` are the blocks of the collection that hold HTML from now on. */
const sanitiseEntries = (tx: Queries, collectionId: string, rich: ReadonlySet<string>) =>
  sanitiseInBatches(rich, {
    next: (after, limit) =>
      tx.sql(
        'select id, blocks from entries where collection_id = $1 and ($2::uuid is null or id > $2) order by id limit $3 for update',
        [collectionId, after, limit],
      ),
    save: (changed) =>
      tx.sql(
        `update entries e set blocks = c.blocks, version = e.version + 1, updated_at = $2
         from jsonb_to_recordset($1::jsonb) as c(id uuid, blocks jsonb) where e.id = c.id`,
        [JSON.stringify(changed), now()],
      ),
  });

/** The blocks that hold rich text now and did not before. */
function newlyRich(before: readonly Block[], after: readonly Block[]): Set<string> {
  const known = richTextBlockIds(before);
  return new Set([...richTextBlockIds(after)].filter((id) => !known.has(id)));
}
