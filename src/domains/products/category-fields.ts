/** GraphQL fields that join products and categories, and the registration of products as users of category slugs. */
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection.ts';
import { parseInput } from '../../lib/validation/input.ts';
import { loadCategoryBySlug } from '../categories/read/find-category.ts';
import { CategoryObject } from '../categories/types.ts';
import { registerCategorySlugUser } from '../categories/write/category-usage-registry.ts';
import { listProducts } from './read/list-products.ts';
import { productListArgs } from './search/list-args.ts';
import { productListSchema } from './search/schemas.ts';
import { ProductConnection, ProductObject } from './types.ts';

registerCategorySlugUser({
  name: 'products',
  existsSql: (business, slug) =>
    `exists (select 1 from products p where p.business_id = ${business} and p.category = ${slug})`,
});

builder.objectField(ProductObject, 'categoryRecord', (t) =>
  t.field({
    type: CategoryObject,
    nullable: true,
    description: 'Category whose slug is the text in `category`; null if there is none.',
    complexity: 5,
    resolve: ({ businessId, category }, _args, ctx) => loadCategoryBySlug(ctx, businessId, category),
  }),
);

const { category: _category, categories: _categories, ...otherListArgs } = productListArgs;

builder.objectField(CategoryObject, 'products', (t) =>
  t.field({
    type: ProductConnection,
    description:
      'Products of the category, newest first unless `sort` is given. Takes the arguments of the query `products`.',
    // Each category is a statement of its own.
    complexity: (args) => ({ ...estimateListCost(args), field: 20 }),
    args: {
      ...pageArgs,
      ...otherListArgs,
      includeSubcategories: t.arg.boolean({ description: 'Include all sub-categories. Default: true.' }),
    },
    resolve: ({ businessId, slug }, { includeSubcategories, ...args }, ctx) =>
      listProducts(
        ctx,
        parseInput(productListSchema, {
          ...args,
          ...{ businessId, category: slug, includeSubcategories: includeSubcategories ?? true },
        }),
      ),
  }),
);
