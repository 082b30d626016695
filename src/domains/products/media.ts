/** Where products name uploaded files. Pure. */
import { type Named, namedInBlocks, namedInGallery } from '../media/named.ts';
import type { UpdateProduct } from './checks.ts';

export const namedMedia = ({ gallery, variants, blocks }: UpdateProduct['input']): Named[] => [
  ...namedInGallery(gallery, 'gallery'),
  ...(variants ?? []).flatMap((variant, index) =>
    namedInGallery(variant.gallery, `variants.${index}.gallery`),
  ),
  ...namedInBlocks(blocks),
];
