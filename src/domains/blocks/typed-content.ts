/** Values of blocks in the form of their types: what frontends with a typed client send instead of `value`. Pure. */
import { z } from 'zod';
import { distinctBy, mutuallyExclusive, optionalInput, withDetailCode } from '../../lib/validation/input.ts';
import type { Block } from './model.ts';
import { isLocale, maxLocales } from './validate-value.ts';

const locale = z
  .string()
  .refine(isLocale, withDetailCode('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'));

const texts = distinctBy(
  z.array(z.object({ locale, text: z.string() })).max(maxLocales, `Must have at most ${maxLocales} items.`),
  'locale',
  'INVALID_VALUE',
  'Each locale may occur once.',
);

/** One of them, as GraphQL makes sure. What they hold is checked as the value of the block. */
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

/** A block as callers send it. */
export interface UnvalidatedBlock extends Block {
  content?: Readonly<Record<string, unknown>> | null | undefined;
  /** Says something only where there is no id (self-defined.ts). */
  key?: string | undefined;
}

export const rejectContentWithValue = mutuallyExclusive('content', 'value');

/** The block with its value in the one form that is kept. */
export function toStoredBlock<Sent extends UnvalidatedBlock>({
  content,
  key: _key,
  ...block
}: Sent): Omit<Sent, 'content' | 'key'> {
  const given = Object.entries(content ?? {}).find(([, value]) => value !== null && value !== undefined);
  return given ? { ...block, value: keptValue(given) } : block;
}

const keptValue = ([kind, value]: readonly [string, unknown]): unknown =>
  kind === 'texts'
    ? Object.fromEntries((value as LocalText[]).map(({ locale: key, text }) => [key, text]))
    : value;

interface LocalText {
  locale: string;
  text: string;
}
