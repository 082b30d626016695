/** zod checks of blocks. */
import { z } from 'zod';
import { isEnough } from '../../errors.ts';
import { distinct, instead, optional, requiredText, rule, text } from '../../lib/input.ts';
import { contentCheck, contentOrValue, plainBlock } from './content.ts';
import { htmlRoom } from './html.ts';
import { type Block, blockTypes, targetTypes } from './model.ts';
import { withSelfDefined } from './self-defined.ts';
import { type BlockRule, checkValue } from './values.ts';

/** Names that mean something to JavaScript objects would mean something else as keys. */
const blockId = requiredText(200).refine(
  (id) => !['__proto__', 'prototype', 'constructor'].includes(id),
  rule('INVALID_VALUE', 'This id is reserved.'),
);

const settings = z
  .object({
    maxLength: optional(z.number().int().min(1, 'Must be at least 1.')),
    variant: optional(text(50)),
    targetType: optional(text(50)),
    target: optional(z.enum(targetTypes)),
    options: optional(z.array(requiredText(200)).max(500)),
  })
  .superRefine(instead('target', 'targetType'), { when: () => true })
  .transform(({ target, ...kept }) => (target ? { ...kept, targetType: target as string } : kept));

const blockShape = z
  .object({
    id: blockId,
    key: optional(text(200)),
    type: z.enum(blockTypes),
    label: optional(text(500)),
    required: optional(z.boolean()),
    settings: optional(settings),
    content: optional(contentCheck),
    value: z.unknown().optional(),
  })
  .superRefine(contentOrValue, { when: () => true })
  .transform(plainBlock);

/** Blocks that stand for themselves: each value follows its own type and settings. Those with other faults are left as they are. */
const checkValues =
  (rules: Pick<BlockRule, 'namesMedia'>) => (blocks: unknown, ctx: z.core.$RefinementCtx) => {
    if (!Array.isArray(blocks)) return;
    const faulty = new Set(ctx.issues.map(({ path }) => path?.[0]));
    const room = htmlRoom();
    for (const [index, block] of (blocks as Block[]).entries()) {
      if (isEnough(ctx.issues)) break;
      if (faulty.has(index)) continue;
      const { value, issues } = checkValue(
        { ...block, ...rules, required: false, anyKeys: true },
        block.value,
        room,
      );
      for (const { path, error, message } of issues)
        ctx.addIssue({ code: 'custom', path: [index, 'value', ...path], message, params: { error } });
      block.value = value;
    }
  };

const distinctBlocks = <Schema extends z.ZodArray>(list: Schema): Schema =>
  distinct(
    list.max(200, 'Must have at most 200 blocks.'),
    'id',
    'DUPLICATE_BLOCK',
    'Each block id may occur once.',
  );

/** Blocks whose values are checked elsewhere, against a schema. */
export const blockShapesCheck = distinctBlocks(z.array(blockShape));

export const blocksCheck = distinctBlocks(z.array(blockShape)).superRefine(checkValues({}), {
  when: () => true,
});

/** The same for records that may name uploaded files. */
export const editedBlocksCheck = distinctBlocks(z.array(blockShape)).superRefine(
  checkValues({ namesMedia: true }),
  {
    when: () => true,
  },
);

/** The same for what customers answer, where a block may define itself. */
export const answeredBlocksCheck = z.preprocess(withSelfDefined, blocksCheck);
