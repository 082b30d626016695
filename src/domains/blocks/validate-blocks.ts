/** Validates block values against the schema of a collection. Pure. */
import type { DetailCode } from '../../detail-codes.ts';
import { type ErrorDetail, isErrorDetailLimitReached } from '../../errors.ts';
import { type Block, parseRelationshipTargetType, type RelationshipTargetType } from './model.ts';
import { createHtmlSanitizingBudget, type HtmlSanitizingBudget } from './sanitize-html.ts';
import { validateBlockValue } from './validate-value.ts';

/** Block with a value, as stored. */
export interface ValueBlock extends Block {
  /** Target type of a relationship at the time of writing; a later schema change does not affect it. */
  readonly target?: RelationshipTargetType | undefined;
}

export interface BlocksValidationResult {
  blocks: ValueBlock[];
  issues: ErrorDetail[];
}

/** With an empty schema (entry of an order, collection without blocks) each block is its own definition. */
export function validateBlocksCollectingIssues(
  schema: readonly Block[],
  inputBlocks: readonly Block[],
): BlocksValidationResult {
  const definitions = new Map(schema.map((definition) => [definition.id, definition]));
  const budget = createHtmlSanitizingBudget();
  const blocks: ValueBlock[] = [];
  const issues: ErrorDetail[] = [];
  for (const [index, block] of inputBlocks.entries()) {
    if (isErrorDetailLimitReached(issues)) break;
    const validated =
      schema.length === 0
        ? validateBlock({ ...block, required: false }, block, index, budget, true)
        : validateBlock(definitions.get(block.id), block, index, budget, false);
    blocks.push(validated.block);
    for (const issue of validated.issues) issues.push(issue);
  }
  const presentIds = new Set(inputBlocks.map((block) => block.id));
  const missingDefinitions = schema.filter(({ id, required }) => required && !presentIds.has(id));
  return {
    blocks,
    issues: [
      ...issues,
      ...missingDefinitions.map(
        ({ id }): ErrorDetail => ({
          field: `blocks.${id}`,
          error: 'REQUIRED',
          message: `The block "${id}" is required.`,
        }),
      ),
    ],
  };
}

function validateBlock(
  definition: Block | undefined,
  block: Block,
  index: number,
  budget: HtmlSanitizingBudget,
  isSelfDefined: boolean,
): { block: ValueBlock; issues: ErrorDetail[] } {
  const blockError = (field: string, error: DetailCode, message: string) => ({
    block,
    issues: [{ field: `blocks.${index}.${field}`, error, message }],
  });
  if (!definition) return blockError('id', 'UNKNOWN_BLOCK', 'The collection has no such block.');
  if (definition.type !== block.type)
    return blockError('type', 'BLOCK_TYPE_MISMATCH', `The block is of type ${definition.type}.`);
  const { value, issues } = validateBlockValue({ ...definition, allowsMediaId: true }, block.value, budget);
  const { id, type } = block;
  return {
    block: {
      ...(isSelfDefined ? block : { id, type }),
      value,
      ...(type === 'RELATIONSHIP' ? { target: targetTypeOf(definition) } : {}),
    },
    issues: issues.map(({ path, error, message }) => ({
      field: ['blocks', index, 'value', ...path].join('.'),
      error,
      message,
    })),
  };
}

/** Default target type: ENTRY. */
const targetTypeOf = (definition: Pick<Block, 'settings'>): RelationshipTargetType =>
  parseRelationshipTargetType(definition.settings?.targetType) ?? 'ENTRY';
