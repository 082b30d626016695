/** References of a product input to uploaded files, customer groups and a category: all must exist in the business; one error lists every missing one. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { findCategorySlug } from '../../categories/read/find-category.ts';
import { findExistingGroupIds } from '../../groups/manage-customer-groups.ts';
import {
  fillMediaReferences,
  findBlockMediaReferences,
  findGalleryMediaReferences,
  type MediaReference,
} from '../../media/media-references.ts';
import type { Variant } from '../model.ts';
import type { UpdateProductArgs, VariantInputValues } from '../schemas.ts';

/** A referenced group and its input path. */
interface GroupPriceReference {
  field: string;
  groupId: string;
}

type VariantPrices = Pick<Variant | VariantInputValues, 'pricing'>;

const listGroupPriceReferences = (variants: readonly VariantPrices[] = []): GroupPriceReference[] =>
  variants.flatMap(({ pricing }, variant) =>
    pricing.markets.flatMap(({ groupPrices = [] }, market) =>
      groupPrices.map(({ groupId }, index) => ({
        field: `variants.${variant}.pricing.markets.${market}.groupPrices.${index}.groupId`,
        groupId,
      })),
    ),
  );

/** Errors for references to groups that the business does not have. References in `before` are accepted, because a group may have been deleted since. */
async function findUnknownGroupErrors(
  queries: QueryHandle,
  businessId: string,
  references: readonly GroupPriceReference[],
  before: readonly VariantPrices[] = [],
): Promise<ErrorDetail[]> {
  const previousIds = new Set(listGroupPriceReferences(before).map(({ groupId }) => groupId));
  const added = references.filter(({ groupId }) => !previousIds.has(groupId));
  if (added.length === 0) return [];
  const ids = [...new Set(added.map(({ groupId }) => groupId))];
  const existingIds = await findExistingGroupIds(queries, businessId, ids);
  return added.flatMap(({ field, groupId }) =>
    existingIds.has(groupId)
      ? []
      : [{ field, error: 'CUSTOMER_GROUP_NOT_FOUND', message: 'The business has no such customer group.' }],
  );
}

type Input = UpdateProductArgs['input'];

export const hasReferencesInProductInput = (input: Input): boolean =>
  input.categoryId !== undefined ||
  listProductMediaReferences(input).length > 0 ||
  listGroupPriceReferences(input.variants).length > 0;

/**
 * Also fills in URL and dimensions of referenced media, and returns the input with the slug of the referenced category. Call it in the
 * transaction that writes the product; `before` are the current variants.
 */
export async function resolveReferencesInProductInput<Given extends Input>(
  ctx: Context,
  tx: QueryHandle,
  businessId: string,
  { categoryId, ...input }: Given,
  before: readonly Variant[] = [],
): Promise<Omit<Given, 'categoryId'>> {
  const slug = categoryId === undefined ? undefined : await findCategorySlug(tx, businessId, categoryId);
  const errors = [
    ...(await fillMediaReferences(ctx, tx, businessId, listProductMediaReferences(input))),
    ...(await findUnknownGroupErrors(tx, businessId, listGroupPriceReferences(input.variants), before)),
  ];
  if (categoryId !== undefined && slug === undefined) errors.push(categoryNotFoundError);
  if (errors.length > 0) throw validationErrorFrom(errors);
  return slug === undefined ? input : { ...input, category: slug };
}

const categoryNotFoundError: ErrorDetail = {
  field: 'categoryId',
  error: 'CATEGORY_NOT_FOUND',
  message: 'The business has no such category.',
};

/** Media referenced by gallery, variant galleries and blocks, with their input paths. */
const listProductMediaReferences = ({
  gallery,
  variants,
  blocks,
}: Pick<Input, 'gallery' | 'variants' | 'blocks'>): MediaReference[] => [
  ...findGalleryMediaReferences(gallery, 'gallery'),
  ...(variants ?? []).flatMap((variant, index) =>
    findGalleryMediaReferences(variant.gallery, `variants.${index}.gallery`),
  ),
  ...findBlockMediaReferences(blocks),
];
