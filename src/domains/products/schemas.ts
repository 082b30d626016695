/** Zod schemas of product mutations and of the stock ledger query. */
import { z } from 'zod';
import { buildApiFieldSchemas } from '../../lib/validation/api-field-declarations.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
  refineMutuallyExclusive,
  requireDistinctItems,
  slugSchema,
} from '../../lib/validation/input.ts';
import { blocksWithMediaIdsSchema } from '../blocks/schemas.ts';
import { gallerySchema } from '../shared/media-schemas.ts';
import { buildStatusHistorySchema } from '../shared/status-and-locale-schemas.ts';
import { productApiFields } from './api-field-declarations.ts';
import { maxStockQuantity, type Product, productStatuses } from './model.ts';
import { marketPriceFieldNames, marketPricesSchema } from './write/price-schemas.ts';

const stockLevel = z.number().int().min(0, 'Must not be negative.').max(maxStockQuantity);

const variantPricing = z.object({
  markets: optionalInput(marketPricesSchema).transform((value) => value ?? []),
});

const variantInventory = z.object({
  tracked: optionalInput(z.boolean()),
  quantity: optionalInput(stockLevel),
  lowStockThreshold: optionalInput(stockLevel),
});

const variant = z.object({
  id: optionalInput(buildRequiredTextSchema(200)),
  name: optionalInput(buildTextSchema(200)).transform((value) => value ?? ''),
  sku: optionalInput(buildTextSchema(100)).transform((value) => value?.trim() || undefined),
  attributes: optionalInput(
    z.array(z.object({ name: buildRequiredTextSchema(100), value: buildTextSchema(500) })).max(50),
  ).transform((value) => value ?? []),
  pricing: optionalInput(variantPricing).transform((value) => value ?? { markets: [] }),
  inventory: optionalInput(variantInventory),
  gallery: optionalInput(gallerySchema),
});

export type VariantInputValues = z.output<typeof variant>;

/** Names of the fields of a variant and of its parts. */
export const variantFieldNames = {
  variant: Object.keys(variant.shape),
  pricing: Object.keys(variantPricing.shape),
  marketPrice: marketPriceFieldNames,
  inventory: Object.keys(variantInventory.shape),
};

const variantList = z.array(variant).max(500, 'Must have at most 500 variants.');

const variants = requireDistinctItems(
  requireDistinctItems(variantList, 'id', 'DUPLICATE_VARIANT', 'Another variant has the same id.'),
  'sku',
  'SKU_TAKEN',
  'Another variant has the same SKU.',
);

/** Maximum number of market prices over all variants: validating more would block the event loop noticeably. */
const maxPrices = 5000;

type RawVariant = { pricing?: { markets?: { length?: number } | null } | null } | null;

function assertPriceCount(list: unknown, ctx: z.core.$RefinementCtx): void {
  let prices = 0;
  for (const variant of Array.isArray(list) ? (list as RawVariant[]) : [])
    prices += variant?.pricing?.markets?.length ?? 0;
  if (prices <= maxPrices) return;
  ctx.addIssue({
    code: 'custom',
    message: `Must have at most ${maxPrices} prices in all.`,
    params: { error: 'TOO_LONG' },
  });
}

/** Input fields besides `name`; `status` is shorthand for a status history of one entry, `categoryId` for the slug of a category record. */
type Writable = Exclude<keyof Product, ServerField | 'name'> | 'status' | 'categoryId';
/** Fields that the gateway sets. */
type ServerField = 'id' | 'businessId' | 'version' | 'createdAt' | 'updatedAt';

const fields = {
  slug: optionalInput(slugSchema),
  ...buildApiFieldSchemas(productApiFields),
  categoryId: optionalInput(buildRequiredTextSchema(200)),
  gallery: optionalInput(gallerySchema),
  variants: optionalInput(z.unknown().superRefine(assertPriceCount).pipe(variants)),
  statuses: optionalInput(buildStatusHistorySchema(productStatuses)),
  status: optionalInput(z.enum(productStatuses)),
  blocks: optionalInput(blocksWithMediaIdsSchema),
} satisfies Record<Writable, z.ZodType>;

const rejectCategoryIdWithCategory = refineMutuallyExclusive('categoryId', 'category');

export const createProductSchema = z.object({
  businessId: z.string(),
  input: z
    .object({ name: buildRequiredTextSchema(500), ...fields })
    .superRefine(rejectCategoryIdWithCategory, { when: () => true }),
});

export const updateProductSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z
    .object({ name: optionalInput(buildRequiredTextSchema(500)), ...fields })
    .superRefine(rejectCategoryIdWithCategory, { when: () => true }),
  version: optionalInput(z.number().int()),
});

export const adjustStockSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({
    variantId: buildRequiredTextSchema(200),
    change: z
      .number()
      .int()
      .min(-maxStockQuantity)
      .max(maxStockQuantity)
      .refine((change) => change !== 0, detailCodeRefineOptions('NO_CHANGE', 'Must not be 0.')),
    reason: optionalInput(buildRequiredTextSchema(500)),
  }),
});

export const listStockMovementsSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  ...pageArgSchemas,
});

export type AdjustStockArgs = z.output<typeof adjustStockSchema>;
export type ListStockMovementsArgs = z.output<typeof listStockMovementsSchema>;
export type CreateProductArgs = z.output<typeof createProductSchema>;
export type UpdateProductArgs = z.output<typeof updateProductSchema>;
