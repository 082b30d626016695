/** Generates block values from a prompt. Every generated value is validated: it is repaired or omitted, never returned invalid. */
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { BlockValueGeneratorUnavailableError } from '../../../ports/block-value-generator.ts';
import type { Block } from '../../blocks/model.ts';
import { isRichTextBlock, validateBlockValue } from '../../blocks/validate-value.ts';
import { accountRateLimitRules, enforceRateLimits } from '../../users/rate-limits.ts';
import type { GenerateBlocksArgs } from '../schemas.ts';

export async function generateBlockValues(
  ctx: Context,
  { businessId, input }: GenerateBlocksArgs,
): Promise<Block[]> {
  // Relationships and media need ids of existing records, which a text generator cannot produce.
  const generatableBlocks = input.blocks.filter(({ type }) => type !== 'RELATIONSHIP' && type !== 'MEDIA');
  if (generatableBlocks.length === 0) return [];
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.generateByAccount, ctx.viewer.user?.userId ?? ''],
    [accountRateLimitRules.generateByBusiness, businessId],
  );
  const values = await ctx.blockValues.generate(input.prompt, generatableBlocks).catch((error: unknown) => {
    if (!(error instanceof BlockValueGeneratorUnavailableError)) throw error;
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'text generation failed');
    throw new AppError('UNAVAILABLE', error.message, { headers: { 'Retry-After': '5' }, cause: error });
  });
  return generatableBlocks.flatMap((block) => {
    const value = firstValidValue(block, values.get(block.id));
    return value === undefined ? [] : [{ id: block.id, type: block.type, value }];
  });
}

function firstValidValue(block: Block, generatedValue: unknown): unknown {
  if (generatedValue === undefined || generatedValue === null) return undefined;
  for (const candidate of [generatedValue, repairValue(block, generatedValue)]) {
    const { value, issues } = validateBlockValue({ ...block, required: true }, candidate);
    if (issues.length === 0) return value;
  }
  return undefined;
}

/** Repairs common mistakes of language models: numbers and dates as text, options in another case, texts above the maximum length. */
function repairValue({ type, settings }: Block, value: unknown): unknown {
  switch (type) {
    case 'TEXT': {
      const max = settings?.maxLength;
      const text = typeof value === 'object' ? '' : String(value);
      // Truncating HTML could leave tags open: rich text above the maximum length is not repaired.
      return max === undefined || isRichTextBlock({ settings })
        ? text
        : [...text].slice(0, max).join('').trimEnd();
    }
    case 'NUMBER':
      return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    case 'BOOLEAN':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'DATE': {
      const time = typeof value === 'string' ? Date.parse(value) : Number(value) * 1000;
      return Number.isNaN(time) ? value : Math.floor(time / 1000);
    }
    case 'SELECT':
      return findOption(settings?.options, value);
    case 'MULTI_SELECT': {
      const list: unknown[] = Array.isArray(value) ? value : [value];
      const options = list.map((item) => findOption(settings?.options, item));
      return [...new Set(options.filter((item) => typeof item === 'string'))];
    }
    default:
      return value;
  }
}

const findOption = (options: readonly string[] | undefined, value: unknown) =>
  options ? options.find((option) => option.toLowerCase() === String(value).trim().toLowerCase()) : value;
