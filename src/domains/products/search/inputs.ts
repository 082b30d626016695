/** GraphQL inputs of what a list of products is asked for. Rules beyond types are in find-checks.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { ProductStatusEnum } from '../types.ts';
import { type ProductFilterFields, productSorts } from './schemas.ts';

export const ProductSortEnum = builder.enumType('ProductSort', {
  description:
    'The order of a list of products. PRICE is the lowest price in the market of the filter, and leaves out what is not sold there; STOCK is what is left of all variants, most of all where it is unlimited; RELEVANCE is how well the search fits.',
  values: productSorts,
});

export const ProductFilterInput = builder.inputType('ProductFilter', {
  description: 'Which products are meant: those that fulfil all that is said.',
  fields: (t) =>
    ({
      ids: t.idList({ description: 'Only these.' }),
      categories: t.stringList({ description: 'Only these categories.' }),
      status: t.field({ type: ProductStatusEnum, description: 'Only this current status.' }),
      market: t.id({ description: 'Code of the market whose prices are meant.' }),
      minPrice: t.field({ type: 'Money', description: 'Lowest price in the market: at least this.' }),
      maxPrice: t.field({ type: 'Money', description: 'Lowest price in the market: at most this.' }),
      inStock: t.boolean({ description: 'True: something is left. False: nothing is.' }),
      attributes: t.stringList({
        description:
          'Attributes of variants as `name:value`, such as `size:XL`. Values of one name are alternatives, different names must all be there.',
      }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof ProductFilterFields, unknown>,
});
