/** GraphQL field `Product.categoryRecord`. */
import { builder } from '../../graphql/schema/builder.ts';
import { loadCategoryBySlug } from '../categories/read/load-categories.ts';
import { CategoryGraphqlType } from '../categories/types.ts';
import { ProductGraphqlType } from './types.ts';

builder.objectField(ProductGraphqlType, 'categoryRecord', (t) =>
  t.field({
    type: CategoryGraphqlType,
    nullable: true,
    description: 'Category whose slug is the text in `category`; null if there is none.',
    complexity: 5,
    resolve: ({ businessId, category }, _args, ctx) => loadCategoryBySlug(ctx, businessId, category),
  }),
);
