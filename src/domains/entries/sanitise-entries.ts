/** Sanitises stored texts of blocks that have become rich text: what was written as plain text was never looked at. */
import { setImmediate } from 'node:timers/promises';
import type { Queries } from '../../db/sql.ts';
import { now } from '../../lib/time.ts';
import { htmlRoom } from '../blocks/html.ts';
import type { Block } from '../blocks/model.ts';
import type { ValueBlock } from '../blocks/schema.ts';
import { cleanTexts, isHtml } from '../blocks/values.ts';
import { dependOnCollections } from '../collections/dependents.ts';

dependOnCollections({
  name: 'entries',
  existIn: (collection) => `exists (select 1 from entries where collection_id = ${collection})`,
  follow: (tx, before, after) => sanitiseEntries(tx, after.id, newlyRich(before.blocks, after.blocks)),
});

const batchSize = 20;

/** `blockIds` are the blocks of the collection that hold HTML from now on. */
async function sanitiseEntries(
  tx: Queries,
  collectionId: string,
  blockIds: ReadonlySet<string>,
): Promise<void> {
  if (blockIds.size === 0) return;
  let after: string | null = null;
  for (;;) {
    const rows: { id: string; blocks: ValueBlock[] }[] = await tx.sql(
      `select id, blocks from entries where collection_id = $1 and ($2::uuid is null or id > $2) order by id limit ${batchSize} for update`,
      [collectionId, after],
    );
    const changed: typeof rows = [];
    for (const { id, blocks } of rows) {
      const room = htmlRoom();
      const clean = blocks.map((block) =>
        blockIds.has(block.id) ? { ...block, value: cleanTexts(block.value, room) } : block,
      );
      if (JSON.stringify(clean) !== JSON.stringify(blocks)) changed.push({ id, blocks: clean });
      // Others have their turn in between.
      await setImmediate();
    }
    if (changed.length > 0) {
      await tx.sql(
        `update entries e set blocks = c.blocks, version = e.version + 1, updated_at = $2
         from jsonb_to_recordset($1::jsonb) as c(id uuid, blocks jsonb) where e.id = c.id`,
        [JSON.stringify(changed), now()],
      );
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** The blocks that hold rich text now and did not before. */
function newlyRich(before: readonly Block[], after: readonly Block[]): Set<string> {
  const rich = (blocks: readonly Block[]) =>
    blocks.filter((block) => block.type === 'TEXT' && isHtml(block)).map(({ id }) => id);
  const known = new Set(rich(before));
  return new Set(rich(after).filter((id) => !known.has(id)));
}
