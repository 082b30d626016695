/** Options of a product's variants, and the variant with given options. Pure. */
import type { MediaItem } from '../../shared/media-and-status-history-types.ts';
import type { Product, Variant } from '../model.ts';

export interface ProductOption {
  name: string;
  values: string[];
}

interface SelectedOption {
  name: string;
  value: string;
}

/** Distinct attributes of all variants, in order of their first occurrence. */
export function listProductOptions({ variants }: Pick<Product, 'variants'>): ProductOption[] {
  const valuesByName = new Map<string, Set<string>>();
  for (const { name, value } of variants.flatMap(({ attributes }) => attributes))
    valuesByName.set(name, (valuesByName.get(name) ?? new Set()).add(value));
  return [...valuesByName].map(([name, values]) => ({ name, values: [...values] }));
}

/** First variant that has all selected options. */
export const findVariantByOptions = (
  { variants }: Pick<Product, 'variants'>,
  options: readonly SelectedOption[],
): Variant | undefined =>
  variants.find(({ attributes }) =>
    options.every((option) =>
      attributes.some(({ name, value }) => name === option.name && value === option.value),
    ),
  );

/** First image of the product, otherwise the first image of a variant. */
export const findFeaturedImage = ({ gallery, variants }: Product): MediaItem | undefined =>
  [...gallery, ...variants.flatMap((variant) => variant.gallery ?? [])].find(({ mimeType }) =>
    mimeType.startsWith('image/'),
  );

export const isInStock = ({ inventory }: Pick<Variant, 'inventory'>): boolean =>
  !inventory.tracked || inventory.quantity > 0;
