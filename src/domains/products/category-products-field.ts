/** GraphQL field `Category.products`. */
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { parseInput } from '../../lib/validation/input.ts';
import { CategoryGraphqlType } from '../categories/types.ts';
import { listProducts } from './read/list-products.ts';
import { productListArgs } from './search/product-list-graphql-args.ts';
import { listProductsSchema } from './search/schemas.ts';
import { ProductConnection } from './types.ts';

const { category: _category, categories: _categories, ...otherListArgs } = productListArgs;

builder.objectField(CategoryGraphqlType, 'products', (t) =>
  t.field({
    type: ProductConnection,
    description:
      'Products of the category, newest first unless `sort` is given. Takes the arguments of the query `products`.',
    // Each category is a statement of its own.
    complexity: (args) => ({ ...estimateListCost(args), field: 20 }),
    args: fieldArgs({
      ...pageArgs,
      ...otherListArgs,
      includeSubcategories: ['Boolean', 'Include all sub-categories. Default: true.'],
    }),
    resolve: ({ businessId, slug }, { includeSubcategories, ...args }, ctx) =>
      listProducts(
        ctx,
        parseInput(listProductsSchema, {
          ...args,
          ...{ businessId, category: slug, includeSubcategories: includeSubcategories ?? true },
        }),
      ),
  }),
);
