/** What a product sent by a caller must look like. */
import { z } from 'zod';
import { distinct, optional, pageFields, requiredText, rule, slug, text } from '../../lib/input.ts';
import { editedBlocksCheck } from '../blocks/checks.ts';
import { galleryCheck, statusHistoryCheck } from '../shared/checks.ts';
import { maxQuantity, type Product, productStatuses } from './model.ts';
import { marketPrices } from './price-checks.ts';

const stockLevel = z.number().int().min(0, 'Must not be negative.').max(maxQuantity);

const variant = z.object({
  id: optional(requiredText(200)),
  name: optional(text(200)).transform((value) => value ?? ''),
  sku: optional(text(100)).transform((value) => value?.trim() || undefined),
  attributes: optional(z.array(z.object({ name: requiredText(100), value: text(500) })).max(50)).transform(
    (value) => value ?? [],
  ),
  pricing: optional(
    z.object({ markets: optional(marketPrices).transform((value) => value ?? []) }),
  ).transform((value) => value ?? { markets: [] }),
  inventory: optional(
    z.object({
      tracked: optional(z.boolean()),
      quantity: optional(stockLevel),
      lowStockThreshold: optional(stockLevel),
    }),
  ),
  gallery: optional(galleryCheck),
});

export type VariantInput = z.output<typeof variant>;

const variantList = z.array(variant).max(500, 'Must have at most 500 variants.');

const variants = distinct(
  distinct(variantList, 'id', 'DUPLICATE_VARIANT', 'Another variant has the same id.'),
  'sku',
  'SKU_TAKEN',
  'Another variant has the same SKU.',
);

/** Of all variants together: as many are checked within a moment. */
const maxPrices = 5000;

type Sent = { pricing?: { markets?: { length?: number } | null } | null } | null;

function expectFewPrices(list: unknown, ctx: z.core.$RefinementCtx): void {
  let prices = 0;
  for (const variant of Array.isArray(list) ? (list as Sent[]) : [])
    prices += variant?.pricing?.markets?.length ?? 0;
  if (prices <= maxPrices) return;
  ctx.addIssue({
    code: 'custom',
    message: `Must have at most ${maxPrices} prices in all.`,
    params: { error: 'TOO_LONG' },
  });
}

/** What callers write besides the name, and the shorthand for a history of one entry. */
type Writable = Exclude<keyof Product, Given | 'name'> | 'status';
/** What the service knows itself. */
type Given = 'id' | 'businessId' | 'version' | 'createdAt' | 'updatedAt';

/** Plain values: each of them is an input field by this line alone. */
export const plainFields = {
  description: optional(text(50_000)).describe('What customers read about it; searched, too.'),
  category: optional(text(200)).describe(
    'A word of your own, by which lists are filtered and taxes may differ.',
  ),
};

const fields = {
  slug: optional(slug),
  ...plainFields,
  gallery: optional(galleryCheck),
  variants: optional(z.unknown().superRefine(expectFewPrices).pipe(variants)),
  statuses: optional(statusHistoryCheck(productStatuses)),
  status: optional(z.enum(productStatuses)),
  blocks: optional(editedBlocksCheck),
} satisfies Record<Writable, z.ZodType>;

export const createProductCheck = z.object({
  businessId: z.string(),
  input: z.object({ name: requiredText(500), ...fields }),
});

export const updateProductCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({ name: optional(requiredText(500)), ...fields }),
  version: optional(z.number().int()),
});

export const adjustStockCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({
    variantId: requiredText(200),
    change: z
      .number()
      .int()
      .min(-maxQuantity)
      .max(maxQuantity)
      .refine((change) => change !== 0, rule('NO_CHANGE', 'Must not be 0.')),
    reason: optional(requiredText(500)),
  }),
});

export const movementFilterCheck = z.object({ businessId: z.string(), id: z.string(), ...pageFields });

export type AdjustStock = z.output<typeof adjustStockCheck>;
export type MovementFilter = z.output<typeof movementFilterCheck>;
export type CreateProduct = z.output<typeof createProductCheck>;
export type UpdateProduct = z.output<typeof updateProductCheck>;
