/** zod checks of blocks. */
import { z } from 'zod';
import { hasEnoughDetails } from '../../errors.ts';
import {
  distinctBy,
  mutuallyExclusive,
  optionalInput,
  requiredTextSchema,
  textSchema,
  withDetailCode,
} from '../../lib/validation/input.ts';
import { inferBlockTypes } from './infer-block-type.ts';
import { type Block, blockTypes, targetTypes } from './model.ts';
import { createHtmlBudget } from './sanitise-html.ts';
import { blockContentSchema, rejectContentWithValue, toStoredBlock } from './typed-content.ts';
import { type BlockValueRule, validateBlockValue } from './validate-value.ts';

/** Names that mean something to JavaScript objects would mean something else as keys. */
const blockId = requiredTextSchema(200).refine(
  (id) => !['__proto__', 'prototype', 'constructor'].includes(id),
  withDetailCode('INVALID_VALUE', 'This id is reserved.'),
);

const settings = z
  .object({
    maxLength: optionalInput(z.number().int().min(1, 'Must be at least 1.')),
    variant: optionalInput(textSchema(50)),
    targetType: optionalInput(textSchema(50)),
    target: optionalInput(z.enum(targetTypes)),
    options: optionalInput(z.array(requiredTextSchema(200)).max(500)),
  })
  .superRefine(mutuallyExclusive('target', 'targetType'), { when: () => true })
  .transform(({ target, ...kept }) => (target ? { ...kept, targetType: target as string } : kept));

const blockShape = z
  .object({
    id: blockId,
    key: optionalInput(textSchema(200)),
    type: z.enum(blockTypes),
    label: optionalInput(textSchema(500)),
    required: optionalInput(z.boolean()),
    settings: optionalInput(settings),
    content: optionalInput(blockContentSchema),
    value: z.unknown().optional(),
  })
  .superRefine(rejectContentWithValue, { when: () => true })
  .transform(toStoredBlock);

/** Blocks that stand for themselves: each value follows its own type and settings. Those with other faults are left as they are. */
const checkValues =
  (rules: Pick<BlockValueRule, 'allowsMediaId'>) => (blocks: unknown, ctx: z.core.$RefinementCtx) => {
    if (!Array.isArray(blocks)) return;
    const faulty = new Set(ctx.issues.map(({ path }) => path?.[0]));
    const room = createHtmlBudget();
    for (const [index, block] of (blocks as Block[]).entries()) {
      if (hasEnoughDetails(ctx.issues)) break;
      if (faulty.has(index)) continue;
      const { value, issues } = validateBlockValue(
        { ...block, ...rules, required: false, allowsAnyKey: true },
        block.value,
        room,
      );
      for (const { path, error, message } of issues)
        ctx.addIssue({ code: 'custom', path: [index, 'value', ...path], message, params: { error } });
      block.value = value;
    }
  };

const distinctBlocks = <Schema extends z.ZodArray>(list: Schema): Schema =>
  distinctBy(
    list.max(200, 'Must have at most 200 blocks.'),
    'id',
    'DUPLICATE_BLOCK',
    'Each block id may occur once.',
  );

/** Blocks whose values are checked elsewhere, against a schema. */
export const blockShapesSchema = distinctBlocks(z.array(blockShape));

export const blocksSchema = distinctBlocks(z.array(blockShape)).superRefine(checkValues({}), {
  when: () => true,
});

/** The same for records that may name uploaded files. */
export const editorBlocksSchema = distinctBlocks(z.array(blockShape)).superRefine(
  checkValues({ allowsMediaId: true }),
  {
    when: () => true,
  },
);

/** The same for what customers answer, where a block may define itself. */
export const customerBlocksSchema = z.preprocess(inferBlockTypes, blocksSchema);
