/** Validation schemas for blocks. */
import { z } from 'zod';
import { isErrorDetailLimitReached } from '../../errors.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  refineMutuallyExclusive,
  requireDistinctItems,
} from '../../lib/validation/input.ts';
import { fillInBlockIdsAndTypes } from './infer-block-type.ts';
import { type Block, blockTypes, relationshipTargetTypes } from './model.ts';
import { createHtmlSanitizingBudget } from './sanitize-html.ts';
import {
  blockContentSchema,
  refineContentExcludesValue,
  toStoredBlock,
} from './typed-content-schema-and-conversion.ts';
import { type BlockValueRule, validateBlockValue } from './validate-value.ts';

/** Rejects property names with a special meaning in JavaScript, against prototype pollution. */
const blockId = buildRequiredTextSchema(200).refine(
  (id) => !['__proto__', 'prototype', 'constructor'].includes(id),
  detailCodeRefineOptions('INVALID_VALUE', 'This id is reserved.'),
);

const settings = z
  .object({
    maxLength: optionalInput(z.number().int().min(1, 'Must be at least 1.')),
    variant: optionalInput(buildTextSchema(50)),
    targetType: optionalInput(buildTextSchema(50)),
    target: optionalInput(z.enum(relationshipTargetTypes)),
    options: optionalInput(z.array(buildRequiredTextSchema(200)).max(500)),
  })
  .superRefine(refineMutuallyExclusive('target', 'targetType'), { when: () => true })
  .transform(({ target, ...fields }) => (target ? { ...fields, targetType: target as string } : fields));

const blockShape = z
  .object({
    id: blockId,
    key: optionalInput(buildTextSchema(200)),
    type: z.enum(blockTypes),
    label: optionalInput(buildTextSchema(500)),
    required: optionalInput(z.boolean()),
    settings: optionalInput(settings),
    content: optionalInput(blockContentSchema),
    value: z.unknown().optional(),
  })
  .superRefine(refineContentExcludesValue, { when: () => true })
  .transform(toStoredBlock);

/** Validates each value against the type and settings of its own block. Skips blocks that already have an issue. */
const validateValues =
  (rules: Pick<BlockValueRule, 'allowsMediaId'>) => (blocks: unknown, ctx: z.core.$RefinementCtx) => {
    if (!Array.isArray(blocks)) return;
    const invalidIndexes = new Set(ctx.issues.map(({ path }) => path?.[0]));
    const budget = createHtmlSanitizingBudget();
    for (const [index, block] of (blocks as (Block & { value?: unknown })[]).entries()) {
      if (isErrorDetailLimitReached(ctx.issues)) break;
      if (invalidIndexes.has(index)) continue;
      const { value, issues } = validateBlockValue(
        { ...block, ...rules, required: false, allowsAnyKey: true },
        block.value,
        budget,
      );
      for (const { path, error, message } of issues)
        ctx.addIssue({ code: 'custom', path: [index, 'value', ...path], message, params: { error } });
      block.value = value;
    }
  };

const distinctBlockIds = <Schema extends z.ZodArray>(list: Schema): Schema =>
  requireDistinctItems(
    list.max(200, 'Must have at most 200 blocks.'),
    'id',
    'DUPLICATE_BLOCK',
    'Each block id may occur once.',
  );

/** Blocks without value validation: their values are validated against the schema of a collection (validate-blocks.ts). */
export const blocksWithoutValueCheckSchema = distinctBlockIds(z.array(blockShape));

/** Blocks that define themselves: each value must match the type and settings of its block. */
export const blocksSchema = distinctBlockIds(z.array(blockShape)).superRefine(validateValues({}), {
  when: () => true,
});

/** Blocks of records that may reference uploaded files by `mediaId`. */
export const blocksWithMediaIdsSchema = distinctBlockIds(z.array(blockShape)).superRefine(
  validateValues({ allowsMediaId: true }),
  { when: () => true },
);

/** Blocks from customers, whose id and type may be inferred (infer-block-type.ts). */
export const customerBlocksSchema = z.preprocess(fillInBlockIdsAndTypes, blocksSchema);
