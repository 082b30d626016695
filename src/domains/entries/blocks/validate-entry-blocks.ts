/** Validates blocks of an entry against the current schema of its owner, including relationship targets and media references. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { Block } from '../../blocks/model.ts';
import { type BlocksValidationResult, validateBlocksCollectingIssues } from '../../blocks/validate-blocks.ts';
import { fillMediaReferences, findBlockMediaReferences } from '../../media/media-references.ts';
import type { Entry } from '../model.ts';
import { type ResolvedEntryOwner, resolveEntryOwner } from '../write/resolve-entry-owner.ts';
import { findMissingRelationshipTargetErrors } from './relationship-targets.ts';

interface ValidationOptions {
  /** New owner. Default: the current owner of the entry. */
  owner?: ResolvedEntryOwner | undefined;
  /** Allows required blocks to be missing. Default: false. */
  isDraft?: boolean;
}

export async function validateEntryBlocks(
  ctx: Context,
  tx: QueryHandle,
  { businessId, owner }: Entry,
  blocks: readonly Block[],
  options: ValidationOptions = {},
): Promise<BlocksValidationResult> {
  const resolved = options.owner ?? (await resolveEntryOwner(tx, businessId, { owner }));
  if (!resolved || resolved.issues.length > 0) return { blocks: [], issues: resolved?.issues ?? [] };
  const schema = options.isDraft
    ? resolved.schema.map((block) => ({ ...block, required: false }))
    : resolved.schema;
  const validated = validateBlocksCollectingIssues(schema, blocks);
  return {
    blocks: validated.blocks,
    issues: [
      ...validated.issues,
      ...(await findMissingRelationshipTargetErrors(tx, businessId, validated.blocks)),
      ...(await fillMediaReferences(ctx, tx, businessId, findBlockMediaReferences(validated.blocks))),
    ],
  };
}
