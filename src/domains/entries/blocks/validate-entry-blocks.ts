/** Checks blocks against the schema that the owner of an entry has today. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { Block } from '../../blocks/model.ts';
import { type ValidatedBlocks, validateBlocks } from '../../blocks/validate-blocks.ts';
import { fillMediaReferences, findBlockMediaReferences } from '../../media/media-references.ts';
import type { Entry } from '../model.ts';
import { type ResolvedOwner, resolveEntryOwner } from '../write/resolve-owner.ts';
import { findMissingTargets } from './relationship-targets.ts';

interface Asked {
  /** The owner that is meant instead of the present one. */
  owner?: ResolvedOwner | undefined;
  /** What is required may be missing as yet. */
  isDraft?: boolean;
}

export async function validateEntryBlocks(
  ctx: Context,
  tx: Queries,
  { businessId, owner }: Entry,
  blocks: readonly Block[],
  asked: Asked = {},
): Promise<ValidatedBlocks> {
  const found = asked.owner ?? (await resolveEntryOwner(tx, businessId, { owner }));
  if (!found || found.issues.length > 0) return { blocks: [], issues: found?.issues ?? [] };
  const schema = asked.isDraft ? found.schema.map((block) => ({ ...block, required: false })) : found.schema;
  const checked = validateBlocks(schema, blocks);
  return {
    blocks: checked.blocks,
    issues: [
      ...checked.issues,
      ...(await findMissingTargets(tx, businessId, checked.blocks)),
      ...(await fillMediaReferences(ctx, tx, businessId, findBlockMediaReferences(checked.blocks))),
    ],
  };
}
