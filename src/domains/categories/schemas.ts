/** Zod schemas of category arguments. */
import { z } from 'zod';
import { isId } from '../../lib/ids.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
  refineMutuallyExclusive,
} from '../../lib/validation/input.ts';
import { isLocale } from '../blocks/validate-value.ts';
import { mediaReferenceSchema } from '../shared/media-schemas.ts';
import { maxCategoryPosition } from './model.ts';

const name = buildRequiredTextSchema(200);
const description = buildTextSchema(50_000);

/** Any text, because a category may be created for the text that products have already. */
const slug = buildRequiredTextSchema(200).refine(
  (value) => !isId(value),
  detailCodeRefineOptions('INVALID_FORMAT', 'Must not have the form of an id.'),
);

const translation = z.object({
  locale: buildRequiredTextSchema(35).refine(
    isLocale,
    detailCodeRefineOptions('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'),
  ),
  name: optionalInput(name),
  description: optionalInput(description),
});

const translations = z
  .array(translation)
  .max(200, 'Must have at most 200 translations.')
  .superRefine((items, ctx) => {
    const seen = new Set<string>();
    for (const [index, { locale }] of items.entries()) {
      if (seen.has(locale.toLowerCase()))
        ctx.addIssue({
          code: 'custom',
          path: [index, 'locale'],
          message: 'Each locale may occur once.',
          params: { error: 'DUPLICATE_LOCALE' },
        });
      seen.add(locale.toLowerCase());
    }
  });

/** null for `parentId` is the top level, null for `image` removes it; an absent field stays unchanged. */
const fields = {
  slug: optionalInput(slug),
  parentId: buildRequiredTextSchema(200).nullish(),
  position: optionalInput(
    z
      .number()
      .int()
      .min(0, 'Must not be negative.')
      .max(maxCategoryPosition, `Must be at most ${maxCategoryPosition}.`),
  ),
  description: optionalInput(description),
  translations: optionalInput(translations),
  image: mediaReferenceSchema.nullish(),
};

const inBusiness = { businessId: z.string() };

export const createCategorySchema = z.object({ ...inBusiness, input: z.object({ name, ...fields }) });

export const updateCategorySchema = z.object({
  ...inBusiness,
  id: z.string(),
  version: optionalInput(z.number().int()),
  input: z.object({ name: optionalInput(name), ...fields }),
});

export const listCategoriesSchema = z
  .object({
    ...inBusiness,
    ...pageArgSchemas,
    parentId: optionalInput(buildTextSchema(200)),
    topLevel: optionalInput(z.boolean()),
  })
  .superRefine(refineMutuallyExclusive('parentId', 'topLevel'));

export type CreateCategoryArgs = z.output<typeof createCategorySchema>;
export type UpdateCategoryArgs = z.output<typeof updateCategorySchema>;
export type ListCategoriesArgs = z.output<typeof listCategoriesSchema>;
