/** References of a product input to uploaded files and customer groups: all must exist in the business; one error lists every missing one. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { validationErrorFrom } from '../../../errors.ts';
import {
  fillMediaReferences,
  findBlockMediaReferences,
  findGalleryMediaReferences,
  type MediaReference,
} from '../../media/media-references.ts';
import type { Variant } from '../model.ts';
import type { UpdateProductArgs } from '../schemas.ts';
import { findUnknownGroupErrors, listGroupPriceReferences } from './group-price-references.ts';

type Input = UpdateProductArgs['input'];

export const hasMediaOrGroupReferences = (input: Input): boolean =>
  listProductMediaReferences(input).length > 0 || listGroupPriceReferences(input.variants).length > 0;

/** Also fills in URL and dimensions of referenced media. Call it in the transaction that writes the product; `before` are the current variants. */
export async function resolveProductReferences(
  ctx: Context,
  tx: QueryHandle,
  businessId: string,
  input: Input,
  before: readonly Variant[] = [],
): Promise<void> {
  const errors = [
    ...(await fillMediaReferences(ctx, tx, businessId, listProductMediaReferences(input))),
    ...(await findUnknownGroupErrors(tx, businessId, listGroupPriceReferences(input.variants), before)),
  ];
  if (errors.length > 0) throw validationErrorFrom(errors);
}

/** Media referenced by gallery, variant galleries and blocks, with their input paths. */
export const listProductMediaReferences = ({
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
