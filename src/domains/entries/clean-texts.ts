/** Sanitises stored texts, a few records at a time. */
import { setImmediate } from 'node:timers/promises';
import { htmlRoom } from '../blocks/html.ts';
import type { ValueBlock } from '../blocks/schema.ts';
import { cleanTexts } from '../blocks/values.ts';

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
export async function cleanInBatches(rich: ReadonlySet<string>, { next, save }: Stored): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const rows: WithBlocks[] = await next(after, batchSize);
    const changed: WithBlocks[] = [];
    for (const { id, blocks } of rows) {
      const room = htmlRoom();
      const clean = blocks.map((block) =>
        rich.has(block.id) ? { ...block, value: cleanTexts(block.value, room) } : block,
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
