/** Typed input `content` of a block, the alternative to the JSON input `value`. Pure. */
import { z } from 'zod';
import {
  detailCodeRefineOptions,
  optionalInput,
  refineMutuallyExclusive,
  requireDistinctItems,
} from '../../lib/validation/input.ts';
import type { Block } from './model.ts';
import { isLocale, maxLocalesPerText } from './validate-value.ts';

const locale = z
  .string()
  .refine(isLocale, detailCodeRefineOptions('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'));

const texts = requireDistinctItems(
  z
    .array(z.object({ locale, text: z.string() }))
    .max(maxLocalesPerText, `Must have at most ${maxLocalesPerText} items.`),
  'locale',
  'INVALID_VALUE',
  'Each locale may occur once.',
);

/** GraphQL ensures that exactly one field is set (`@oneOf`). The value itself is validated as the value of the block. */
export const blockContentSchema = z.object({
  text: optionalInput(z.string()),
  texts: optionalInput(texts),
  number: optionalInput(z.number()),
  boolean: optionalInput(z.boolean()),
  date: optionalInput(z.number()),
  relationship: optionalInput(z.string()),
  location: optionalInput(z.object({ latitude: z.number(), longitude: z.number() })),
  media: optionalInput(
    z.array(
      z.object({
        id: optionalInput(z.string()),
        url: optionalInput(z.string()),
        mimeType: optionalInput(z.string()),
        mediaId: optionalInput(z.string()),
        alt: optionalInput(z.string()),
      }),
    ),
  ),
  option: optionalInput(z.string()),
  options: optionalInput(z.array(z.string())),
});

/** Block as received, before validation. */
export interface UnvalidatedBlock extends Block {
  content?: Readonly<Record<string, unknown>> | null | undefined;
  /** Used only for blocks without id (infer-block-type.ts). */
  key?: string | undefined;
}

export const refineContentExcludesValue = refineMutuallyExclusive('content', 'value');

/** Converts `content` to the stored `value` and removes input-only fields. */
export function toStoredBlock<Input extends UnvalidatedBlock>({
  content,
  key: _key,
  ...block
}: Input): Omit<Input, 'content' | 'key'> {
  const typedValue = Object.entries(content ?? {}).find(([, value]) => value !== null && value !== undefined);
  return typedValue ? { ...block, value: toStoredValue(typedValue) } : block;
}

const toStoredValue = ([kind, value]: readonly [string, unknown]): unknown =>
  kind === 'texts'
    ? Object.fromEntries((value as LocalText[]).map(({ locale: key, text }) => [key, text]))
    : value;

interface LocalText {
  locale: string;
  text: string;
}
