/** Sanitises stored rich text of many records, 20 per query. */
import { setImmediate } from 'node:timers/promises';
import { createHtmlSanitizingBudget } from '../../blocks/sanitize-html.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import { sanitizeStoredBlockValue } from '../../blocks/validate-value.ts';

interface RecordWithBlocks {
  id: string;
  blocks: ValueBlock[];
}

interface RecordStore {
  /** Next records in the order of their id, after the id `after`. */
  next(after: string | null, limit: number): Promise<RecordWithBlocks[]>;
  save(changed: readonly RecordWithBlocks[]): Promise<unknown>;
}

const batchSize = 20;

/** `richTextIds` are the ids of the blocks that contain HTML. */
export async function sanitizeStoredRichTextInBatches(
  richTextIds: ReadonlySet<string>,
  { next, save }: RecordStore,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const rows: RecordWithBlocks[] = await next(after, batchSize);
    const changed: RecordWithBlocks[] = [];
    for (const { id, blocks } of rows) {
      const budget = createHtmlSanitizingBudget();
      const sanitized = blocks.map((block) =>
        richTextIds.has(block.id)
          ? { ...block, value: sanitizeStoredBlockValue(block.value, budget) }
          : block,
      );
      if (JSON.stringify(sanitized) !== JSON.stringify(blocks)) changed.push({ id, blocks: sanitized });
      // Sanitising is CPU-bound: yields to the event loop after each record.
      await setImmediate();
    }
    if (changed.length > 0) await save(changed);
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? null;
  }
}
