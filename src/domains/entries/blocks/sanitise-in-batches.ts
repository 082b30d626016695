/** Sanitises stored texts, a few records at a time. */
import { setImmediate } from 'node:timers/promises';
import { createHtmlBudget } from '../../blocks/sanitise-html.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import { sanitiseStoredTexts } from '../../blocks/validate-value.ts';

interface WithBlocks {
  id: string;
  blocks: ValueBlock[];
}

interface Stored {
  /** By id, those after `after`. */
  next(after: string | null, limit: number): Promise<WithBlocks[]>;
  save(changed: readonly WithBlocks[]): Promise<unknown>;
}

const batchSize = 20;

/** `rich` are the ids of the blocks that hold HTML. */
export async function sanitiseInBatches(rich: ReadonlySet<string>, { next, save }: Stored): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const rows: WithBlocks[] = await next(after, batchSize);
    const changed: WithBlocks[] = [];
    for (const { id, blocks } of rows) {
      const room = createHtmlBudget();
      const clean = blocks.map((block) =>
        rich.has(block.id) ? { ...block, value: sanitiseStoredTexts(block.value, room) } : block,
      );
      if (JSON.stringify(clean) !== JSON.stringify(blocks)) changed.push({ id, blocks: clean });
      // Others have their turn in between.
      await setImmediate();
    }
    if (changed.length > 0) await save(changed);
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? null;
  }
}
