/** GraphQL filter and sort inputs of product lists. schemas.ts validates them. */

import { builder } from '../../../graphql/schema/builder.ts';
import { type InputField, inputFields } from '../../../graphql/schema/field-tables.ts';
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
  fields: inputFields({
    ids: ['[ID!]', 'Only products with one of these ids; at most 100.'],
    categories: ['[String!]', 'Only products in one of these categories, by slug or id; at most 100.'],
    status: [ProductStatusEnum, 'Only products with this current status.'],
    market: ['ID', 'Code of the market for `minPrice`, `maxPrice` and sorting by PRICE, which require it.'],
    minPrice: ['Money', 'Minimum of the lowest price in the market, in minor units.'],
    maxPrice: ['Money', 'Maximum of the lowest price in the market, in minor units.'],
    inStock: ['Boolean', 'True: products with stock left. False: products that are out of stock.'],
    attributes: [
      '[String!]',
      'Variant attributes as `name:value`, such as `size:XL`. Values of the same name are combined with OR, different names with AND.',
    ],
    selectedOptions: [
      [SelectedOptionInput],
      'Options of a variant. Values of the same name are combined with OR, different names with AND.',
    ],
    createdFrom: ['Timestamp', 'Created at this time or later.'],
    createdTo: ['Timestamp', 'Created at this time or earlier.'],
    updatedFrom: ['Timestamp', 'Last updated at this time or later.'],
    updatedTo: ['Timestamp', 'Last updated at this time or earlier.'],
  } satisfies Record<keyof ProductFilterFields, InputField>),
});
