/** Values of blocks in the form of their types: what frontends with a typed client send instead of `value`. Pure. */
import { z } from 'zod';
import { distinct, instead, optional, rule } from '../../lib/input.ts';
import type { Block } from './model.ts';
import { isLocale, maxLocales } from './values.ts';

const locale = z.string().refine(isLocale, rule('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'));

const texts = distinct(
  z.array(z.object({ locale, text: z.string() })).max(maxLocales, `Must have at most ${maxLocales} items.`),
  'locale',
  'INVALID_VALUE',
  'Each locale may occur once.',
);

/** One of them, as GraphQL makes sure. What they hold is checked as the value of the block. */
export const contentCheck = z.object({
  text: optional(z.string()),
  texts: optional(texts),
  number: optional(z.number()),
  boolean: optional(z.boolean()),
  date: optional(z.number()),
  relationship: optional(z.string()),
  location: optional(z.object({ latitude: z.number(), longitude: z.number() })),
  media: optional(
    z.array(
      z.object({
        id: optional(z.string()),
        url: optional(z.string()),
        mimeType: optional(z.string()),
        mediaId: optional(z.string()),
        alt: optional(z.string()),
      }),
    ),
  ),
  option: optional(z.string()),
  options: optional(z.array(z.string())),
});

/** A block as callers send it. */
export interface SentBlock extends Block {
  content?: Readonly<Record<string, unknown>> | null | undefined;
  /** Says something only where there is no id (self-defined.ts). */
  key?: string | undefined;
}

export const contentOrValue = instead('content', 'value');

/** The block with its value in the one form that is kept. */
export function plainBlock<Sent extends SentBlock>({
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
