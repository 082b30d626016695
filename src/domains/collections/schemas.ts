/** What a collection sent by a caller must look like. */

import { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import { newId } from '../../lib/ids.ts';
import { parseBillingInterval, planIntervals } from '../../lib/time.ts';
import {
  currencySchema,
  distinctBy,
  moneySchema,
  mutuallyExclusive,
  optionalInput,
  pageFields,
  requiredTextSchema,
  slugSchema,
  textSchema,
  withDetailCode,
} from '../../lib/validation/input.ts';
import { targetTypes } from '../blocks/model.ts';
import { blocksSchema } from '../blocks/schemas.ts';
import { statusHistorySchema } from '../shared/schemas.ts';
import { collectionKinds, contentStatuses } from './model.ts';

/** The schema of a collection: blocks whose settings make sense for their type. */
const schemaCheck = blocksSchema.superRefine((blocks, ctx) => {
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
    amount: moneySchema,
    // Kept in the case it was sent in: clients compare it with what they sent.
    currency: z.string().refine((code) => currencySchema.safeParse(code).success, {
      error: 'Must be an ISO 4217 currency code.',
      params: { error: 'UNKNOWN_CURRENCY' },
    }),
    interval: optionalInput(
      z
        .string()
        .transform((word) => word.toUpperCase())
        .pipe(z.enum(planIntervals)),
    ),
    every: optionalInput(z.enum(planIntervals)),
  })
  .superRefine(mutuallyExclusive('every', 'interval'), { when: () => true })
  .transform(({ every, interval, ...price }) => ({
    ...price,
    interval: parseBillingInterval(every ?? interval),
  }));

const plan = z.object({
  id: optionalInput(requiredTextSchema(200)).transform((id) => id ?? newId()),
  name: requiredTextSchema(200),
  description: optionalInput(textSchema(5000)).transform((value) => value ?? ''),
  price: optionalInput(planPrice).transform(
    (price) => price ?? { amount: 0, currency: 'usd', interval: 'MONTHLY' },
  ),
  features: optionalInput(z.array(textSchema(500)).max(100)).transform((value) => value ?? []),
});

const plans = distinctBy(
  z.array(plan).max(100, 'Must have at most 100 plans.'),
  'id',
  'DUPLICATE_PLAN',
  'Each plan id may occur once.',
);

const type = requiredTextSchema(50)
  .transform((value) => value.toUpperCase())
  .refine((value) => /^[A-Z0-9_-]+$/.test(value), withDetailCode('INVALID_VALUE', 'Must be one word.'));

const fields = {
  slug: optionalInput(slugSchema),
  description: optionalInput(textSchema(50_000)),
  type: optionalInput(type),
  kind: optionalInput(z.enum(collectionKinds)),
  blocks: optionalInput(schemaCheck),
  statuses: optionalInput(statusHistorySchema(contentStatuses)),
  status: optionalInput(z.enum(contentStatuses)),
  plans: optionalInput(plans),
  doubleOptIn: optionalInput(z.boolean()),
};

/** An enum stands for the type of the same name. */
const oneType = mutuallyExclusive('kind', 'type');
const withType = <Input extends { kind?: string | undefined; type?: string | undefined }>({
  kind,
  ...input
}: Input) => ({ ...input, type: kind ?? input.type });

export const createCollectionSchema = z.object({
  businessId: z.string(),
  input: z
    .object({ name: requiredTextSchema(500), ...fields })
    .superRefine(oneType, { when: () => true })
    .transform(withType),
});

export const updateCollectionSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z
    .object({ name: optionalInput(requiredTextSchema(500)), ...fields })
    .superRefine(oneType, { when: () => true })
    .transform(withType),
  version: optionalInput(z.number().int()),
});

export const listCollectionsSchema = z.object({
  businessId: z.string(),
  ...pageFields,
  ids: optionalInput(z.array(z.string()).max(100)),
  type: optionalInput(type),
  kind: optionalInput(z.enum(collectionKinds)),
  status: optionalInput(z.enum(contentStatuses)),
});

export const generateBlocksSchema = z.object({
  businessId: z.string(),
  input: z.object({
    prompt: requiredTextSchema(10_000),
    blocks: schemaCheck.min(1, 'Must name at least one block.'),
  }),
});

export type CreateCollectionArgs = z.output<typeof createCollectionSchema>;
export type UpdateCollectionArgs = z.output<typeof updateCollectionSchema>;
export type ListCollectionsArgs = z.output<typeof listCollectionsSchema>;
export type GenerateBlocksArgs = z.output<typeof generateBlocksSchema>;
