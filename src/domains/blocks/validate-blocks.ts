/** Values against the schema of their collection. Pure. */
import type { DetailCode } from '../../detail-codes.ts';
import { type ErrorDetail, hasEnoughDetails } from '../../errors.ts';
import { type Block, parseTargetType, type TargetType } from './model.ts';
import { createHtmlBudget, type HtmlBudget } from './sanitise-html.ts';
import { validateBlockValue } from './validate-value.ts';

/** A block with a value as it is kept. */
export interface ValueBlock extends Block {
  /** What a relationship pointed at when it was written, whatever the schema says today. */
  target?: TargetType | undefined;
}

export interface ValidatedBlocks {
  blocks: ValueBlock[];
  issues: ErrorDetail[];
}

/** Without a schema (an order's entry, a collection that has none) each block is its own definition. */
export function validateBlocks(schema: readonly Block[], given: readonly Block[]): ValidatedBlocks {
  const definitions = new Map(schema.map((definition) => [definition.id, definition]));
  const room = createHtmlBudget();
  const blocks: ValueBlock[] = [];
  const issues: ErrorDetail[] = [];
  for (const [index, block] of given.entries()) {
    if (hasEnoughDetails(issues)) break;
    const checked =
      schema.length === 0
        ? checkOne({ ...block, required: false }, block, index, room, true)
        : checkOne(definitions.get(block.id), block, index, room, false);
    blocks.push(checked.block);
    for (const issue of checked.issues) issues.push(issue);
  }
  const present = new Set(given.map((block) => block.id));
  const absent = schema.filter(({ id, required }) => required && !present.has(id));
  return {
    blocks,
    issues: [
      ...issues,
      ...absent.map(
        ({ id }): ErrorDetail => ({
          field: `blocks.${id}`,
          error: 'REQUIRED',
          message: `The block "${id}" is required.`,
        }),
      ),
    ],
  };
}

function checkOne(
  definition: Block | undefined,
  block: Block,
  index: number,
  room: HtmlBudget,
  freeForm: boolean,
): { block: ValueBlock; issues: ErrorDetail[] } {
  const fault = (field: string, error: DetailCode, message: string) => ({
    block,
    issues: [{ field: `blocks.${index}.${field}`, error, message }],
  });
  if (!definition) return fault('id', 'UNKNOWN_BLOCK', 'The collection has no such block.');
  if (definition.type !== block.type)
    return fault('type', 'BLOCK_TYPE_MISMATCH', `The block is of type ${definition.type}.`);
  const { value, issues } = validateBlockValue({ ...definition, allowsMediaId: true }, block.value, room);
  const { id, type } = block;
  return {
    block: {
      ...(freeForm ? block : { id, type }),
      value,
      ...(type === 'RELATIONSHIP' ? { target: targetOf(definition) } : {}),
    },
    issues: issues.map(({ path, error, message }) => ({
      field: ['blocks', index, 'value', ...path].join('.'),
      error,
      message,
    })),
  };
}

/** A relationship that does not say what it points at points at entries. */
const targetOf = (definition: Pick<Block, 'settings'>): TargetType =>
  parseTargetType(definition.settings?.targetType) ?? 'ENTRY';
