/** Checks blocks against the schema that the owner of an entry has today. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Block } from '../blocks/model.ts';
import { type CheckedBlocks, checkBlocks } from '../blocks/schema.ts';
import { fillMedia, namedInBlocks } from '../media/named.ts';
import type { Entry } from './model.ts';
import { type FoundOwner, findOwner } from './owners.ts';
import { missingTargets } from './targets.ts';

interface Asked {
  /** The owner that is meant instead of the present one. */
  owner?: FoundOwner | undefined;
  /** What is required may be missing as yet. */
  isDraft?: boolean;
}

export async function checkOwned(
  ctx: Context,
  tx: Queries,
  { businessId, owner }: Entry,
  blocks: readonly Block[],
  asked: Asked = {},
): Promise<CheckedBlocks> {
  const found = asked.owner ?? (await findOwner(tx, businessId, { owner }));
  if (!found || found.issues.length > 0) return { blocks: [], issues: found?.issues ?? [] };
  const schema = asked.isDraft ? found.schema.map((block) => ({ ...block, required: false })) : found.schema;
  const checked = checkBlocks(schema, blocks);
  return {
    blocks: checked.blocks,
    issues: [
      ...checked.issues,
      ...(await missingTargets(tx, businessId, checked.blocks)),
      ...(await fillMedia(ctx, tx, businessId, namedInBlocks(checked.blocks))),
    ],
  };
}
