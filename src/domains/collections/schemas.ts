/** Validation schemas for collection arguments. */
import { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import { parseBillingInterval, planIntervals } from '../../lib/commerce/billing-intervals.ts';
import { newId } from '../../lib/ids.ts';
import { buildApiFieldSchemas } from '../../lib/validation/api-field-declarations.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  currencySchema,
  detailCodeRefineOptions,
  moneySchema,
  optionalInput,
  pageArgSchemas,
  refineMutuallyExclusive,
  requireDistinctItems,
  slugSchema,
} from '../../lib/validation/input.ts';
import { relationshipTargetTypes } from '../blocks/model.ts';
import { blocksSchema } from '../blocks/schemas.ts';
import { buildStatusHistorySchema } from '../shared/status-and-locale-schemas.ts';
import { collectionApiFields } from './api-field-declarations.ts';
import { collectionKinds, contentStatuses } from './model.ts';

/** Block definitions of a collection: settings must fit the block type. */
const blockDefinitions = blocksSchema.superRefine((blocks, ctx) => {
  for (const [index, { type, settings }] of blocks.entries()) {
    const addIssue = (field: string, error: DetailCode, message: string) =>
      ctx.addIssue({ code: 'custom', path: [index, 'settings', field], message, params: { error } });
    const target = settings?.targetType?.toUpperCase();
    if (
      type === 'RELATIONSHIP' &&
      target !== undefined &&
      !relationshipTargetTypes.some((targetType) => targetType === target)
    )
      addIssue('targetType', 'INVALID_VALUE', `Must be one of ${relationshipTargetTypes.join(', ')}.`);
    if (settings?.options && new Set(settings.options).size < settings.options.length)
      addIssue('options', 'DUPLICATE_OPTION', 'Each option may occur once.');
    if ((settings?.maxLength ?? 0) > 1_000_000) addIssue('maxLength', 'TOO_BIG', 'Must be at most 1000000.');
  }
});

const planPrice = z
  .object({
    amount: moneySchema,
    // Stored in the case of the request, because clients compare the response with their input.
    currency: z.string().refine((code) => currencySchema.safeParse(code).success, {
      error: 'Must be an ISO 4217 currency code.',
      params: { error: 'UNKNOWN_CURRENCY' },
    }),
    interval: optionalInput(
      z
        .string()
        .transform((text) => text.toUpperCase())
        .pipe(z.enum(planIntervals)),
    ),
    every: optionalInput(z.enum(planIntervals)),
  })
  .superRefine(refineMutuallyExclusive('every', 'interval'), { when: () => true })
  .transform(({ every, interval, ...price }) => ({
    ...price,
    interval: parseBillingInterval(every ?? interval),
  }));

const plan = z.object({
  id: optionalInput(buildRequiredTextSchema(200)).transform((id) => id ?? newId()),
  name: buildRequiredTextSchema(200),
  description: optionalInput(buildTextSchema(5000)).transform((value) => value ?? ''),
  price: optionalInput(planPrice).transform(
    (price) => price ?? { amount: 0, currency: 'usd', interval: 'MONTHLY' },
  ),
  features: optionalInput(z.array(buildTextSchema(500)).max(100)).transform((value) => value ?? []),
});

const plans = requireDistinctItems(
  z.array(plan).max(100, 'Must have at most 100 plans.'),
  'id',
  'DUPLICATE_PLAN',
  'Each plan id may occur once.',
);

const type = buildRequiredTextSchema(50)
  .transform((value) => value.toUpperCase())
  .refine(
    (value) => /^[A-Z0-9_-]+$/.test(value),
    detailCodeRefineOptions('INVALID_VALUE', 'Must be one word.'),
  );

const fields = {
  slug: optionalInput(slugSchema),
  ...buildApiFieldSchemas(collectionApiFields),
  type: optionalInput(type),
  kind: optionalInput(z.enum(collectionKinds)),
  blocks: optionalInput(blockDefinitions),
  statuses: optionalInput(buildStatusHistorySchema(contentStatuses)),
  status: optionalInput(z.enum(contentStatuses)),
  plans: optionalInput(plans),
  doubleOptIn: optionalInput(z.boolean()),
};

/** `kind` is the enum alternative to `type`; both at once are rejected. */
const rejectKindWithType = refineMutuallyExclusive('kind', 'type');
const resolveType = <Input extends { kind?: string | undefined; type?: string | undefined }>({
  kind,
  ...input
}: Input) => ({ ...input, type: kind ?? input.type });

export const createCollectionSchema = z.object({
  businessId: z.string(),
  input: z
    .object({ name: buildRequiredTextSchema(500), ...fields })
    .superRefine(rejectKindWithType, { when: () => true })
    .transform(resolveType),
});

export const updateCollectionSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z
    .object({ name: optionalInput(buildRequiredTextSchema(500)), ...fields })
    .superRefine(rejectKindWithType, { when: () => true })
    .transform(resolveType),
  version: optionalInput(z.number().int()),
});

export const listCollectionsSchema = z.object({
  businessId: z.string(),
  ...pageArgSchemas,
  ids: optionalInput(z.array(z.string()).max(100)),
  type: optionalInput(type),
  kind: optionalInput(z.enum(collectionKinds)),
  status: optionalInput(z.enum(contentStatuses)),
});

export const generateBlocksSchema = z.object({
  businessId: z.string(),
  input: z.object({
    prompt: buildRequiredTextSchema(10_000),
    blocks: blockDefinitions.min(1, 'Must name at least one block.'),
  }),
});

export type CreateCollectionArgs = z.output<typeof createCollectionSchema>;
export type UpdateCollectionArgs = z.output<typeof updateCollectionSchema>;
export type ListCollectionsArgs = z.output<typeof listCollectionsSchema>;
export type GenerateBlocksArgs = z.output<typeof generateBlocksSchema>;
