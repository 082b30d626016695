/** What a collection sent by a caller must look like. */

import { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import { newId } from '../../lib/ids.ts';
import {
  currency,
  distinct,
  instead,
  money,
  optional,
  pageFields,
  requiredText,
  rule,
  slug,
  text,
} from '../../lib/input.ts';
import { intervalOf, planIntervals } from '../../lib/intervals.ts';
import { blocksCheck } from '../blocks/checks.ts';
import { targetTypes } from '../blocks/model.ts';
import { statusHistoryCheck } from '../shared/checks.ts';
import { collectionKinds, contentStatuses } from './model.ts';

/** The schema of a collection: blocks whose settings make sense for their type. */
const schemaCheck = blocksCheck.superRefine((blocks, ctx) => {
  for (const [index, { type, settings }] of blocks.entries()) {
    const fault = (field: string, error: DetailCode, message: string) =>
      ctx.addIssue({ code: 'custom', path: [index, 'settings', field], message, params: { error } });
    const target = settings?.targetType?.toUpperCase();
    if (type === 'RELATIONSHIP' && target !== undefined && !targetTypes.some((known) => known === target))
      fault('targetType', 'INVALID_VALUE', `Must be one of ${targetTypes.join(', ')}.`);
    if (settings?.options && new Set(settings.options).size < settings.options.length)
      fault('options', 'DUPLICATE_OPTION', 'Each option may occur once.');
    if ((settings?.maxLength ?? 0) > 1_000_000) fault('maxLength', 'TOO_BIG', 'Must be at most 1000000.');
  }
});

const planPrice = z
  .object({
    amount: money,
    // Kept in the case it was sent in: clients compare it with what they sent.
    currency: z.string().refine((code) => currency.safeParse(code).success, {
      error: 'Must be an ISO 4217 currency code.',
      params: { error: 'UNKNOWN_CURRENCY' },
    }),
    interval: optional(
      z
        .string()
        .transform((word) => word.toUpperCase())
        .pipe(z.enum(planIntervals)),
    ),
    every: optional(z.enum(planIntervals)),
  })
  .superRefine(instead('every', 'interval'), { when: () => true })
  .transform(({ every, interval, ...price }) => ({ ...price, interval: intervalOf(every ?? interval) }));

const plan = z.object({
  id: optional(requiredText(200)).transform((id) => id ?? newId()),
  name: requiredText(200),
  description: optional(text(5000)).transform((value) => value ?? ''),
  price: optional(planPrice).transform(
    (price) => price ?? { amount: 0, currency: 'usd', interval: 'MONTHLY' },
  ),
  features: optional(z.array(text(500)).max(100)).transform((value) => value ?? []),
});

const plans = distinct(
  z.array(plan).max(100, 'Must have at most 100 plans.'),
  'id',
  'DUPLICATE_PLAN',
  'Each plan id may occur once.',
);

const type = requiredText(50)
  .transform((value) => value.toUpperCase())
  .refine((value) => /^[A-Z0-9_-]+$/.test(value), rule('INVALID_VALUE', 'Must be one word.'));

const fields = {
  slug: optional(slug),
  description: optional(text(50_000)),
  type: optional(type),
  kind: optional(z.enum(collectionKinds)),
  blocks: optional(schemaCheck),
  statuses: optional(statusHistoryCheck(contentStatuses)),
  status: optional(z.enum(contentStatuses)),
  plans: optional(plans),
  doubleOptIn: optional(z.boolean()),
};

/** An enum stands for the type of the same name. */
const oneType = instead('kind', 'type');
const withType = <Input extends { kind?: string | undefined; type?: string | undefined }>({
  kind,
  ...input
}: Input) => ({ ...input, type: kind ?? input.type });

export const createCollectionCheck = z.object({
  businessId: z.string(),
  input: z
    .object({ name: requiredText(500), ...fields })
    .superRefine(oneType, { when: () => true })
    .transform(withType),
});

export const updateCollectionCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z
    .object({ name: optional(requiredText(500)), ...fields })
    .superRefine(oneType, { when: () => true })
    .transform(withType),
  version: optional(z.number().int()),
});

export const collectionFilterCheck = z.object({
  businessId: z.string(),
  ...pageFields,
  ids: optional(z.array(z.string()).max(100)),
  type: optional(type),
  kind: optional(z.enum(collectionKinds)),
  status: optional(z.enum(contentStatuses)),
});

export const generateBlocksCheck = z.object({
  businessId: z.string(),
  input: z.object({
    prompt: requiredText(10_000),
    blocks: schemaCheck.min(1, 'Must name at least one block.'),
  }),
});

export type CreateCollection = z.output<typeof createCollectionCheck>;
export type UpdateCollection = z.output<typeof updateCollectionCheck>;
export type CollectionFilter = z.output<typeof collectionFilterCheck>;
export type GenerateBlocks = z.output<typeof generateBlocksCheck>;
