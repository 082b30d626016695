/** What a product names of its business, files and customer groups, must be there. All that is not is told at once. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { validationErrorFrom } from '../../../errors.ts';
import {
  fillMediaReferences,
  findBlockMediaReferences,
  findGalleryMediaReferences,
  type MediaReference,
} from '../../media/media-references.ts';
import type { Variant } from '../model.ts';
import type { UpdateProductArgs } from '../schemas.ts';
import { findUnknownGroups, groupPriceReferences } from './group-price-references.ts';

type Input = UpdateProductArgs['input'];

export const hasProductReferences = (input: Input): boolean =>
  productMediaReferences(input).length > 0 || groupPriceReferences(input.variants).length > 0;

/** Within the transaction that writes it; `before` are the variants that the product has. */
export async function assertProductReferences(
  ctx: Context,
  tx: Queries,
  businessId: string,
  input: Input,
  before: readonly Variant[] = [],
): Promise<void> {
  const faults = [
    ...(await fillMediaReferences(ctx, tx, businessId, productMediaReferences(input))),
    ...(await findUnknownGroups(tx, businessId, groupPriceReferences(input.variants), before)),
  ];
  if (faults.length > 0) throw validationErrorFrom(faults);
}

/** Where products name uploaded files. Pure. */

export const productMediaReferences = ({
  gallery,
  variants,
  blocks,
}: UpdateProductArgs['input']): MediaReference[] => [
  ...findGalleryMediaReferences(gallery, 'gallery'),
  ...(variants ?? []).flatMap((variant, index) =>
    findGalleryMediaReferences(variant.gallery, `variants.${index}.gallery`),
  ),
  ...findBlockMediaReferences(blocks),
];
