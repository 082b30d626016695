/** Writes values for blocks from a prompt; what a generator suggests is mended or left out, never passed on wrong. */

import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { TextGeneratorUnavailableError } from '../../../ports/text-generator.ts';
import type { Block } from '../../blocks/model.ts';
import { isRichText, validateBlockValue } from '../../blocks/validate-value.ts';
import type { GenerateBlocksArgs } from '../schemas.ts';

export async function generateBlocks(ctx: Context, { input }: GenerateBlocksArgs): Promise<Block[]> {
  // An id can neither be made up nor guessed.
  const wanted = input.blocks.filter(({ type }) => type !== 'RELATIONSHIP' && type !== 'MEDIA');
  if (wanted.length === 0) return [];
  const values = await ctx.text.generate(input.prompt, wanted).catch((error: unknown) => {
    if (!(error instanceof TextGeneratorUnavailableError)) throw error;
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'text generation failed');
    throw new AppError('UNAVAILABLE', error.message, { headers: { 'Retry-After': '5' }, cause: error });
  });
  return wanted.flatMap((block) => {
    const value = firstValid(block, values.get(block.id));
    return value === undefined ? [] : [{ id: block.id, type: block.type, value }];
  });
}

function firstValid(block: Block, suggested: unknown): unknown {
  if (suggested === undefined || suggested === null) return undefined;
  for (const candidate of [suggested, mended(block, suggested)]) {
    const { value, issues } = validateBlockValue({ ...block, required: true }, candidate);
    if (issues.length === 0) return value;
  }
  return undefined;
}

/** What models tend to get wrong: numbers as text, dates as text, a different case, too many words. */
function mended({ type, settings }: Block, value: unknown): unknown {
  switch (type) {
    case 'TEXT': {
      const max = settings?.maxLength;
      const text = typeof value === 'object' ? '' : String(value);
      // Cutting through markup would leave it open: rich text that is too long is not mended.
      return max === undefined || isRichText({ settings })
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
      return optionLike(settings?.options, value);
    case 'MULTI_SELECT': {
      const list: unknown[] = Array.isArray(value) ? value : [value];
      const known = list.map((item) => optionLike(settings?.options, item));
      return [...new Set(known.filter((item) => typeof item === 'string'))];
    }
    default:
      return value;
  }
}

const optionLike = (options: readonly string[] | undefined, value: unknown) =>
  options ? options.find((option) => option.toLowerCase() === String(value).trim().toLowerCase()) : value;
