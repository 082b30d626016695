/** GraphQL filter and sort inputs of product lists. schemas.ts validates them. */
import { builder } from '../../../graphql/schema/builder.ts';
import { SelectedOptionInput } from '../inputs.ts';
import { ProductStatusEnum } from '../types.ts';
import { type ProductFilterFields, productSorts } from './schemas.ts';

export const ProductSortEnum = builder.enumType('ProductSort', {
  description:
    'Sort order of a product list. PRICE sorts by the lowest price in `filter.market` and omits products that are not sold there. STOCK sorts by the sum over all variants; unlimited stock counts as most. RELEVANCE sorts by how well a product matches the search. `_DESC` reverses the order.',
  values: productSorts,
});

export const ProductFilterInput = builder.inputType('ProductFilter', {
  description: 'Filter of a product list; conditions are combined with AND.',
  fields: (t) =>
    ({
      ids: t.idList({ description: 'Only products with one of these ids; at most 100.' }),
      categories: t.stringList({
        description: 'Only products in one of these categories, by slug or id; at most 100.',
      }),
      status: t.field({ type: ProductStatusEnum, description: 'Only products with this current status.' }),
      market: t.id({
        description: 'Code of the market for `minPrice`, `maxPrice` and sorting by PRICE, which require it.',
      }),
      minPrice: t.field({
        type: 'Money',
        description: 'Minimum of the lowest price in the market, in minor units.',
      }),
      maxPrice: t.field({
        type: 'Money',
        description: 'Maximum of the lowest price in the market, in minor units.',
      }),
      inStock: t.boolean({
        description: 'True: products with stock left. False: products that are out of stock.',
      }),
      attributes: t.stringList({
        description:
          'Variant attributes as `name:value`, such as `size:XL`. Values of the same name are combined with OR, different names with AND.',
      }),
      selectedOptions: t.field({
        type: [SelectedOptionInput],
        description:
          'Options of a variant. Values of the same name are combined with OR, different names with AND.',
      }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last updated at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last updated at this time or earlier.' }),
    }) satisfies Record<keyof ProductFilterFields, unknown>,
});
